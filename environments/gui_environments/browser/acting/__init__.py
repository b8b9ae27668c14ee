"""Doing things to pages: aiming, pressing, typing, filling in, and waiting for what comes of it."""
