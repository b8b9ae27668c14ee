"""A Qt window that tells what the pointer did in it, as JSON lines in the file it is given."""

import json
import sys
from pathlib import Path

from PyQt5 import QtCore, QtWidgets

lines = Path(sys.argv[1]).open("a", buffering=1, encoding="utf-8")  # noqa: SIM115
NAMES = {QtCore.Qt.LeftButton: "left", QtCore.Qt.RightButton: "right", QtCore.Qt.MiddleButton: "middle"}


def tell(kind, **what):
    lines.write(json.dumps({"kind": kind, **what}) + "\n")


def held(event):
    masks = {"shift": QtCore.Qt.ShiftModifier, "ctrl": QtCore.Qt.ControlModifier, "alt": QtCore.Qt.AltModifier}
    return [name for name, mask in masks.items() if event.modifiers() & mask]


def about(event):
    return {"x": event.globalX(), "y": event.globalY(), "held": held(event)}


class Area(QtWidgets.QWidget):
    def mousePressEvent(self, event):  # noqa: N802
        tell("press", button=NAMES[event.button()], **about(event))

    def mouseDoubleClickEvent(self, event):  # noqa: N802
        tell("press", button=NAMES[event.button()], **about(event))
        tell("double")

    def mouseReleaseEvent(self, event):  # noqa: N802
        tell("release", button=NAMES[event.button()], **about(event))

    def mouseMoveEvent(self, event):  # noqa: N802
        tell("drag" if event.buttons() & QtCore.Qt.LeftButton else "move", **about(event))

    def wheelEvent(self, event):  # noqa: N802
        delta = event.angleDelta()
        for _ in range(abs(delta.y()) // 120):
            tell("scroll", button="up" if delta.y() > 0 else "down", held=held(event))
        for _ in range(abs(delta.x()) // 120):
            tell("scroll", button="scroll left" if delta.x() > 0 else "scroll right", held=held(event))


app = QtWidgets.QApplication(sys.argv)
window = QtWidgets.QWidget()
window.setWindowTitle("probe")
window.resize(400, 400)
layout = QtWidgets.QVBoxLayout(window)
area = Area()
area.setMinimumSize(380, 250)
area.setMouseTracking(True)
layout.addWidget(area)
slider = QtWidgets.QSlider(QtCore.Qt.Horizontal)
slider.setRange(0, 100)
slider.valueChanged.connect(lambda value: tell("slider", value=value))
layout.addWidget(slider)
window.show()


def place(widget):
    corner = widget.mapToGlobal(QtCore.QPoint(0, 0))
    return [corner.x(), corner.y(), widget.width(), widget.height()]


def ready():
    if window.isActiveWindow():
        tell("ready", area=place(area), slider=place(slider))
    else:
        QtCore.QTimer.singleShot(20, ready)


QtCore.QTimer.singleShot(20, ready)
app.exec_()
