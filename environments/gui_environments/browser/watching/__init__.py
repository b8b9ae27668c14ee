"""What pages do that nobody asked for in so many words: dialogs, messages, requests."""
