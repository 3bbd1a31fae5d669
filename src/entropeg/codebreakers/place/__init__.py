"""The codebreaker `place`, for marks by place on boards that nobody can list."""
