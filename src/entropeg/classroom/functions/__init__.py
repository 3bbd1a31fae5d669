"""Functions of other people's programs: called with codes in their own form, read in theirs, and held against ours."""
