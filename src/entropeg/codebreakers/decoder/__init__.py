"""The codebreaker `decoder`, the program of Forget 2011, and its account of a game (docs/understand/decoder.md)."""
