from ratings.models.bot import BotRating
from ratings.models.change import RatingChange, RatingCorrection
from ratings.models.match import RatedMatch, UnratedMatch
from ratings.models.rating import Rating, RatingPool
from ratings.models.recomputation import RatingSnapshot, Recomputation, ShadowChange
from ratings.models.season import LadderSeason, OvertakenTable, SeasonRating

__all__ = [
    "BotRating",
    "LadderSeason",
    "OvertakenTable",
    "RatedMatch",
    "Rating",
    "RatingChange",
    "RatingCorrection",
    "RatingPool",
    "RatingSnapshot",
    "Recomputation",
    "SeasonRating",
    "ShadowChange",
    "UnratedMatch",
]
