"""Fixtures of all tests of the window."""

from window_lab import opened, pygame  # noqa: F401
