"""Moments in Croatian: beside its day a month stands in the genitive."""

MONTH_DAY_FORMAT = "j. E"
