"""`python -m gui_operator` is the command `gui-operator`."""

import sys

from gui_operator.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
