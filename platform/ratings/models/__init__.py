from ratings.models.change import RatingChange, RatingCorrection
from ratings.models.match import RatedMatch, UnratedMatch
from ratings.models.rating import Rating, RatingPool
from ratings.models.recomputation import RatingSnapshot, Recomputation, ShadowChange

__all__ = [
    "RatedMatch",
    "Rating",
    "RatingChange",
    "RatingCorrection",
    "RatingPool",
    "RatingSnapshot",
    "Recomputation",
    "ShadowChange",
    "UnratedMatch",
]
