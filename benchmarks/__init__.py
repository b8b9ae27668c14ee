"""Measurements of the worker, each beside the plain way to do the same work. Run by scripts/bench."""
