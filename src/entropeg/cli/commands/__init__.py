"""The sub-commands, in modules that are imported when one of them is called."""
