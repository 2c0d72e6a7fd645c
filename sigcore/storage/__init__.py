"""What is cached on disk, where, and within which bounds."""
