"""The games: All Fives, Draw and Block dominoes for two to four seats.

Pure: the standard library only, no clock, no chance of its own, no input or output. Whoever
calls it brings the deal and the order of actions; the same calls always give the same answers.

    >>> from engine.match import Match
    >>> from engine.rules import RuleSet
    >>> Match(RuleSet.parse({"preset": "allfives"}, seats=2)).next_leader()
    'highest_double'
"""
