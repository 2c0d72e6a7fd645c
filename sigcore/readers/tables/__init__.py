"""Tables: one vocabulary of headings, wide and long forms, score matrices."""
