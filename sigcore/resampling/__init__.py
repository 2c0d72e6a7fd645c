"""Blocks of resamples, their weights, and every p-value formula."""
