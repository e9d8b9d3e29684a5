"""The tables of Connect-4: a report played again, perfect play, policies, slices, ideas."""

from experiments.connect_four import book, ideas, perfect, policies, report, slice

__all__ = ["book", "ideas", "perfect", "policies", "report", "slice"]
