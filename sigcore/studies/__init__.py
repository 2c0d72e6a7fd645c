"""The questions a person asks: one file each; each composes the families."""
