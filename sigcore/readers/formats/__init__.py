"""One file = one format; each ends with its READER."""
