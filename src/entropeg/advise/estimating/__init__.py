"""Guesses ranked beyond the exact search of boards: small sets exactly, large ones by estimates, others by samples."""
