"""The languages of the command line: which one is spoken, what is said in it, and which words may be typed."""
