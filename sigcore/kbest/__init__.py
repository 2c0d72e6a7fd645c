"""k-best lists: what a method of tuning reads, and what several methods share."""
