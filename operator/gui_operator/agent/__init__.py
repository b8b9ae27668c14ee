"""One run with Claude: which models can do it, what it may cost, the conversation, its limits and its outcome."""
