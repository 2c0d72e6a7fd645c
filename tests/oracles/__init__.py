"""Not tests: slow, obvious twins of what the core computes."""
