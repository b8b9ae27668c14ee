"""A web shop's form to open a trade account, as people who test web applications meet them, to be driven from outside.

It has fields of every kind, some of them made by scripts, a frame of another site, dialogs and a download. It keeps
what it receives in a folder, and knows nothing of what drives it. On loopback only. Run it with
`python -m gui_environments.samples.accounts --folder PATH`.
"""
