"""Results as CSV, JSON, tables, LaTeX and sentences."""
