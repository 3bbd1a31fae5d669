"""Write the recorded games again: `python -m playthroughs` in the folder `tests`."""

from playthroughs import write_all

write_all()
