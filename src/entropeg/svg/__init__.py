"""Draws boards, partitions and their pieces as SVG: text in, text out, for notebooks, files and pages alike.

Nothing here knows a position, a game or a tree: drawings are made of rules, codes, feedback and words. So the rooms
that have these values, which stand above, call this one.
"""
