"""The parts of tests/faults/mirrors."""
