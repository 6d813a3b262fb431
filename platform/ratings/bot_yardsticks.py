"""How strong the bots are: measured once, for every site that hasn't measured it itself.

Rating and deviation by pool and level, made by

    manage.py calibrate_bots --pool allfives-1v1 --matches 150
    manage.py calibrate_bots --pool allfives-table --matches 200
    manage.py calibrate_bots --pool POOL --matches 60    # for each of the others

on 2026-11-30, without matches with people. Where bots have met nobody else, all of them stand
around 1500, and most of the deviation is not knowing where that is.
"""

from __future__ import annotations

MEASURED = {
    "allfives-1v1": {
        "easy": (1294.6, 77.1),
        "medium": (1559.1, 76.2),
        "hard": (1646.3, 76.5),
    },
    "allfives-table": {
        "easy": (1384.0, 75.5),
        "medium": (1544.9, 75.4),
        "hard": (1571.1, 75.4),
    },
    "allfives-partners": {
        "easy": (1330.9, 78.8),
        "medium": (1554.8, 77.6),
        "hard": (1614.3, 77.9),
    },
    "draw-1v1": {
        "easy": (1283.3, 59.3),
        "medium": (1546.8, 57.0),
        "hard": (1669.9, 58.1),
    },
    "draw-table": {
        "easy": (1445.9, 54.4),
        "medium": (1486.7, 54.2),
        "hard": (1567.4, 54.3),
    },
    "draw-partners": {
        "easy": (1338.2, 57.7),
        "medium": (1521.1, 56.5),
        "hard": (1640.7, 57.3),
    },
    "block-1v1": {
        "easy": (1285.9, 80.7),
        "medium": (1534.8, 78.9),
        "hard": (1679.3, 79.9),
    },
    "block-table": {
        "easy": (1410.1, 76.9),
        "medium": (1519.7, 76.8),
        "hard": (1570.2, 76.8),
    },
    "block-partners": {
        "easy": (1369.1, 78.8),
        "medium": (1549.2, 78.2),
        "hard": (1581.7, 78.4),
    },
}

MATCHES = {
    "allfives-1v1": 450,
    "allfives-table": 600,
    "allfives-partners": 180,
    "draw-1v1": 180,
    "draw-table": 180,
    "draw-partners": 180,
    "block-1v1": 180,
    "block-table": 180,
    "block-partners": 180,
}
"""Of bots in each pool."""
