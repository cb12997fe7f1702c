"""What these tests have of those in tests/cli: where the programs are, how a test case runs them, how one ended."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from helpers.harness import GEN, QUERY, SOURCE, TINY, Case, Result  # noqa: E402

__all__ = ["GEN", "QUERY", "SOURCE", "TINY", "Case", "Result"]
