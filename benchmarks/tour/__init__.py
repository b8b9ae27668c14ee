"""A tour of fifty generated pages on loopback, and the turns of calls that use them. It imports nothing of the worker:
what it asks goes through whatever is given to it."""
