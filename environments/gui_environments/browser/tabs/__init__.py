"""Tabs: which there are, and what each is about."""
