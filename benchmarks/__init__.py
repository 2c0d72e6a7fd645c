"""Programs that compare speed and memory with other programs in one run; they are not tests."""
