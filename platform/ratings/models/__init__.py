from ratings.models.change import RatingChange, RatingCorrection
from ratings.models.match import RatedMatch, UnratedMatch
from ratings.models.rating import Rating, RatingPool

__all__ = [
    "RatedMatch",
    "Rating",
    "RatingChange",
    "RatingCorrection",
    "RatingPool",
    "UnratedMatch",
]
