"""Dialogs that know no terminal: play, break, assist and train as objects that take lines of text and return lines.

>>> from entropeg import Rules, codemakers
>>> from entropeg.sessions.playing import PlaySession
>>> session = PlaySession(Rules.parse("4x6"), codemakers.get("honest:ABCD"), seed=1)
>>> [line.text for line in session.handle("aabb")]
[' 1  AABB  XO']
"""
