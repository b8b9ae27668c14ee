"""Secrets as an environment knows them: values that are filled in where they are bound to, and how texts and pages may
spell them. Where they come from, and who may use them, is not known here."""

from gui_environments.secrets.masking import Masking as Masking
from gui_environments.secrets.values import SecretText as SecretText
from gui_environments.secrets.values import WindowRule as WindowRule
