"""A small order-entry program in the manner of an old line-of-business application, to be driven from outside.

It has a menu, a list, a form with validation, modal dialogs and a file, and knows nothing of what drives it. Run it
with `python -m gui_environments.samples.orders --file PATH`.
"""
