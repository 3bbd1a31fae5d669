"""The codebreaker `place`, for marks by place on boards that nobody can list: each peg's colors and each color's number."""
