"""The tests: what each folder asks is said in docs/architecture.md."""
