"""The codebreaker `sampling`, for up to some 30 pegs: some of the codes left, and the guess that splits these best."""
