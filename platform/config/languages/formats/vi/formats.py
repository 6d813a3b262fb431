"""Moments in Vietnamese, in figures: Django’s own way takes a line."""

DATE_FORMAT = "d/m/Y"
TIME_FORMAT = "H:i"
DATETIME_FORMAT = "d/m/Y H:i"
MONTH_DAY_FORMAT = "d/m"
