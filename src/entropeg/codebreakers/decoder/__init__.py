"""The codebreaker `decoder`, the program of Jean Forget (2011-2025), and its account of a game (docs/understand/decoder.md)."""
