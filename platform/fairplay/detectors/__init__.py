"""What looks like foul play, found in rows of rated matches. Pure: no clock, no database.

A finding is a case for a moderator, never a verdict: honest people lose streaks and play their
friends. So each detector asks for results that the ratings make all but impossible, and for a
second sign that has nothing to do with the first.
"""
