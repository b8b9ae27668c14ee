"""A run read back and shown: on the terminal, as a turn file, as one page of HTML. Never writes into a recording."""
