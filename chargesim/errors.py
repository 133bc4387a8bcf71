"""Errors that chargesim raises on purpose; anything else is a fault in the program."""

from __future__ import annotations


class ChargesimError(Exception):
    """Base of every error raised on purpose; its text is one message fit for the user."""

    exit_code = 1


class InputError(ChargesimError):
    """What the user gave cannot be used; the text says what, where and what would be right."""

    exit_code = 2
