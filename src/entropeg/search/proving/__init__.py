"""Least totals of whole boards: asked for, searched, kept on the way, written down as proofs, and checked."""
