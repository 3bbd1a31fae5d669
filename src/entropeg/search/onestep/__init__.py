"""The search one turn ahead: from a position, or the rules, to the guess or tree of a one-step rule."""
