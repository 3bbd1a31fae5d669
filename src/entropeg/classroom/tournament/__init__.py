"""Tournaments of a course: every codebreaker against every codemaker, every pair a little, then more."""
