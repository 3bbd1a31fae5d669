"""Long runs of the server: arenas and proofs, each in a process of its own, kept in files that outlive the server."""
