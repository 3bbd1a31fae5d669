"""Tournaments of a course: every codebreaker against every codemaker, dealt so that all have alike many games."""
