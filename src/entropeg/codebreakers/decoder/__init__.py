"""The codebreaker `decoder`, that of Forget (2011-2025), and its account of a game (docs/understand/decoder.md)."""
