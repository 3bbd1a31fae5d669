"""Says sentences in other languages: English is written in the sources, French in the files of translators.

A sentence is a value (`entropeg.told`): gettext finds its template in `data/texts/fr.mo`, and its fields are filled in
anew. `scripts/make_texts.py` makes that file of the sources and of `data/texts/fr/*.po` (`make texts`).
"""

from entropeg.texts.languages import LANGUAGES, known_language, page_texts
from entropeg.texts.speaking import pieces, say, say_all

__all__ = ["LANGUAGES", "known_language", "page_texts", "pieces", "say", "say_all"]
