"""Programs that measure speed and memory against peers, side by side in one run; never tests."""
