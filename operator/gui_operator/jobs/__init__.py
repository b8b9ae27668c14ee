"""The job: its format, read into one frozen value with errors that name file and line. Starts nothing."""

from gui_operator.jobs.draft import JobDraft as JobDraft
from gui_operator.jobs.draft import read_job as read_job
from gui_operator.jobs.model import DEFAULT_MODEL as DEFAULT_MODEL
from gui_operator.jobs.model import Job as Job
from gui_operator.jobs.model import Limits as Limits
from gui_operator.jobs.problems import JobError as JobError
