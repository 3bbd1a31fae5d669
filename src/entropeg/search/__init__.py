"""Searches over whole boards: strategy trees by one-step rules, exact optima and bounds."""
