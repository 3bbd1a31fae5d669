"""The codemaker that chooses as people might: some secrets more often than others."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from entropeg.codemakers.honest import SecretKeeper
from entropeg.codes import secrets, weights
from entropeg.feedback import Code
from entropeg.priors import Prior
from entropeg.registry import named
from entropeg.rules import Rules


@dataclass(frozen=True)
class Biased(SecretKeeper):
    """Chooses some secrets more often, as people do.

    They are drawn by a prior: that of the rules, or the one given, `biased:distinct` or `biased:FILE`.
    Where neither says one, `distinct`: each repeated color makes a code half as likely. The codebreaker knows the prior
    of the rules only. Needs a board whose codes can be listed.
    """

    prior: str = ""
    """A formula or a file of weights; empty for the prior of the rules."""

    name = named("biased")
    deterministic = False

    def choose(self, rules: Rules, rng: np.random.Generator) -> Code | None:
        """Draw the secret; raises InputError where the prior does not fit the rules."""
        if self.prior or rules.prior is None:
            rules = replace(rules, prior=Prior.read(self.prior or "distinct"))
        return secrets(rules)[int(rng.choice(rules.secret_count, p=weights(rules)))]
