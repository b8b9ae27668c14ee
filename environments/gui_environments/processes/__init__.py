"""Processes of an environment: started below one supervisor, found by descent, and ended with the environment.

`tree` is what environments use. It starts the `supervisor` by `program` and talks with it in `messages`. The supervisor
is made of `starting`, `ending`, `killing` and `leftovers`; `proc` reads /proc and `prctl` tells the kernel. Nothing is
imported here, and the supervisor's half imports little: it starts with every environment. Linux only.
"""
