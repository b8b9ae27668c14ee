"""The worlds a worker acts in: desktops, browsers, shells.

Nothing here knows of Claude, of the Messages API, or of the worker: the packages above (`gui_operator`) import this
one, never the other way round.
"""
