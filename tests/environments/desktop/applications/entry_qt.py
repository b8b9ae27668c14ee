"""A Qt window with one text field. Usage: entry_qt.py FOLDER TITLE. Keeps FOLDER/text at what the field holds and adds
a line to FOLDER/keys for every key event (`down 65`, Qt's own numbers)."""

import sys
from pathlib import Path

from PyQt5 import QtCore, QtWidgets

folder, title = Path(sys.argv[1]), sys.argv[2]
keys = (folder / "keys").open("a", buffering=1)


class Field(QtWidgets.QPlainTextEdit):
    def keyPressEvent(self, event):  # noqa: N802
        super().keyPressEvent(event)
        if event.key() == QtCore.Qt.Key_F9:
            self.write_text()
            keys.write("F9 handled\n")
        keys.write(f"down {event.key()}\n")

    def keyReleaseEvent(self, event):  # noqa: N802
        super().keyReleaseEvent(event)
        keys.write(f"up {event.key()}\n")

    def focusInEvent(self, event):  # noqa: N802
        super().focusInEvent(event)
        (folder / "focused").touch()

    def write_text(self):
        # toPlainText would turn non-breaking spaces into spaces.
        text = self.document().toRawText().replace("\u2029", "\n")
        (folder / "text.new").write_text(text, encoding="utf-8", newline="")
        (folder / "text.new").replace(folder / "text")


application = QtWidgets.QApplication(sys.argv[:1])
field = Field()
field.setWindowTitle(title)
field.resize(500, 300)
field.textChanged.connect(field.write_text)
field.show()
field.setFocus()
application.exec_()
