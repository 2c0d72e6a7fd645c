"""The parts of each page, one file per question."""
