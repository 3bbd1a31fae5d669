"""The commands about the installation itself: whether it works, and what it has compiled."""
