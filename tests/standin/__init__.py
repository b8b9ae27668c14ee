"""A stand-in for the Messages API, for tests: see `server`."""
