"""The sample test sets that ship with the project: their names and their files."""

from __future__ import annotations

from pathlib import Path

from sigcore.errors import UnknownMember

# Files next to the data of a sample: the tables from which it was made, notes, the finished grid, and k-best lists.
NOT_DATA = (".md", ".toml", ".py", ".npz", ".nbest")
GRID, CANDIDATES = "grid.npz", "candidates.nbest"

PACKAGE = Path(__file__).resolve().parents[1]


def find_root(package: Path) -> Path:
    """The folder of samples: inside the installed package, or next to it in a checkout."""
    installed = package / "samples"
    return installed if installed.is_dir() else package.parent / "samples"


ROOT = find_root(PACKAGE)


def sample_names(root: str | Path | None = None) -> tuple[str, ...]:
    """The names of the samples, sorted: one folder with systems each; () if there is no such folder."""
    folder = Path(root) if root is not None else ROOT
    if not folder.is_dir():
        return ()
    return tuple(sorted(p.name for p in folder.iterdir() if (p / "systems").is_dir()))


def load_files(name: str, root: str | Path | None = None) -> list[tuple[str, bytes]]:
    """The data files of a sample as (path inside it, bytes), sorted.

    Raises: UnknownMember for a name that is not in `sample_names`.
    """
    if name not in sample_names(root):
        raise UnknownMember("sample", name, sample_names(root))
    folder = (Path(root) if root is not None else ROOT) / name
    paths = sorted(p for p in folder.rglob("*") if p.is_file())
    kept = [p for p in paths if p.suffix not in NOT_DATA and p.name[0] != "."]
    return [(p.relative_to(folder).as_posix(), p.read_bytes()) for p in kept]


def finished_grid(name: str, root: str | Path | None = None) -> bytes | None:
    """The finished grid of a sample, as `studies.matrix.kept` writes it; None if it has none."""
    return _beside(name, GRID, root)


def sample_candidates(name: str, root: str | Path | None = None) -> bytes | None:
    """The k-best lists of a sample, as `read_kbest` reads them; None if it has none."""
    return _beside(name, CANDIDATES, root)


def _beside(name: str, file: str, root: str | Path | None) -> bytes | None:
    path = (Path(root) if root is not None else ROOT) / name / file
    return path.read_bytes() if path.is_file() else None
