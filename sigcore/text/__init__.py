"""Text handling shared by metrics; knows no metric."""
