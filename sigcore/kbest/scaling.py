"""z-scores of features over the development lists, and weights for the features as they were."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sigcore.kbest.sparse import Features, Sparse, moments, varying
from sigcore.types import Bools, Floats, Ints


@dataclass(frozen=True, eq=False)
class Scale:
    """The standard deviation of every feature, (F,); a feature that never varies within a list cannot decide anything and
    gets weight 0. The mean of a feature changes no ranking, so it is subtracted only to keep numbers small, and not from
    sparse features, whose zeros stay zeros."""

    means: Floats
    deviations: Floats
    varies: Bools

    def applied(self, features: Features) -> Features:
        """The z-scores (H, F) of features (H, F), of sparse ones without their means; 0 for those that do not vary."""
        if isinstance(features, Sparse):
            return features.times(np.where(self.varies, 1 / self.deviations, 0.0))
        return np.where(self.varies, (features - self.means) / self.deviations, 0.0)

    def weights(self, scaled: Floats) -> Floats:
        """The weights of the features as they were, from those of the z-scores, (F,)."""
        return np.where(self.varies, scaled / self.deviations, 0.0)

    def scaled(self, weights: Floats) -> Floats:
        """The weights of the z-scores that give the same ranking as `weights` of the features as they were, (F,)."""
        return np.where(self.varies, weights * self.deviations, 0.0)


def scale_of(features: Features, segment_of: Ints) -> Scale:
    """The scale of features (H, F), where hypotheses with one `segment_of` are in one list."""
    starts = np.flatnonzero(np.r_[True, np.diff(segment_of) != 0])
    means, deviations = moments(features)
    varies = (varying(features, starts) > 0) & (deviations > 0)
    return Scale(means, np.where(varies, deviations, 1.0), varies)
