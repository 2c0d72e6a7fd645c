"""The questions that users ask: one file or folder each; each combines the plugin families."""
