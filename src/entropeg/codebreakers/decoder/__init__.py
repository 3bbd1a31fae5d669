"""The codebreaker `decoder`, the program of document B, and its account of a game (docs/understand/decoder.md)."""
