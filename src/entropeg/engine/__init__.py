"""The text protocol: programs in any language play here, and ours play elsewhere.

Lines over standard input and output, in the manner of chess engines; the page "Protocol" of the documentation has a
whole session. `serve` speaks the side of the engine, `EngineCodebreaker` and `EngineCodemaker` the side of the host.
"""
