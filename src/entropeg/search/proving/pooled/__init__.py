"""Proofs that several processes share by a folder: `pool` (its files), `opening` (the parts of an opening, in turn)."""
