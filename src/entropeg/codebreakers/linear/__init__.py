"""The codebreaker `linear`, for thousands of pegs: many questions packed into one guess (docs/understand/linear.md)."""
