"""Results to CSV, JSON and sentences."""
