"""z-scores of features over the development lists, and weights for the features as they were."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sigcore.types import Bools, Floats, Ints


@dataclass(frozen=True, eq=False)
class Scale:
    """The standard deviation of every feature, (F,); a feature that never varies within a list cannot decide anything and
    gets weight 0. The mean of a feature changes no ranking, so it is subtracted only to keep numbers small."""

    means: Floats
    deviations: Floats
    varies: Bools

    def applied(self, features: Floats) -> Floats:
        """The z-scores (H, F) of features (H, F); 0 for those that do not vary."""
        return np.where(self.varies, (features - self.means) / self.deviations, 0.0)

    def weights(self, scaled: Floats) -> Floats:
        """The weights of the features as they were, from those of the z-scores, (F,)."""
        return np.where(self.varies, scaled / self.deviations, 0.0)

    def scaled(self, weights: Floats) -> Floats:
        """The weights of the z-scores that give the same ranking as `weights` of the features as they were, (F,)."""
        return np.where(self.varies, weights * self.deviations, 0.0)


def scale_of(features: Floats, segment_of: Ints) -> Scale:
    """The scale of features (H, F), where hypotheses with one `segment_of` are in one list."""
    starts = np.flatnonzero(np.r_[True, np.diff(segment_of) != 0])
    spread = np.maximum.reduceat(features, starts) - np.minimum.reduceat(features, starts)
    deviations = features.std(axis=0)
    varies = (spread > 0).any(axis=0) & (deviations > 0)
    return Scale(features.mean(axis=0), np.where(varies, deviations, 1.0), varies)
