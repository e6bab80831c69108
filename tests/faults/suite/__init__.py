"""The fault suite: see tests/faults/run."""
