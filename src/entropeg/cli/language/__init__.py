"""Chooses the language of the command line, translates its sentences, and reads the words of it that are typed."""
