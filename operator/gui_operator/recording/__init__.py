"""The record of a run: one event a line, pictures as files. Never changes what a call does or what it answers."""

from gui_operator.recording.recording import Recording as Recording
from gui_operator.recording.recording import RecordingExists as RecordingExists
from gui_operator.recording.recording import RecordingFailed as RecordingFailed
from gui_operator.recording.redaction import Redaction as Redaction
