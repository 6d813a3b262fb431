"""Moments in Turkish: a day is written without a nought before it."""

DATE_FORMAT = "j F Y"
TIME_FORMAT = "H:i"
DATETIME_FORMAT = "j F Y H:i"
MONTH_DAY_FORMAT = "j F"
