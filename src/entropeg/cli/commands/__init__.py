"""The sub-commands, each in a module of its own, imported when it is called."""
