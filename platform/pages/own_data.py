"""All that the site keeps about a player, for that player: one JSON document."""

from __future__ import annotations

from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.db.models import Q
from django.utils import timezone

from games.models import Seat
from notices import kinds, selectors
from players.models import Player
from ratings.models import RatingChange
from ratings.selectors import ratings_of
from tournaments.models import AuditLine, Challenge, Entrant, LadderPlace, LeaguePlayer, Official

FORMAT = "muggins-player/1"


def of_player(player: Player) -> dict[str, Any]:
    """The document; times are ISO 8601 in UTC. Secrets (passwords, tokens, keys) are not in it."""
    return {
        "format": FORMAT,
        "made_at": timezone.now(),
        "account": {
            "handle": player.handle,
            "name": player.name,
            "is_guest": player.is_guest,
            "email": player.email,
            "country": player.country,
            "language": player.language,
            "zone": player.zone,
            "invites": player.invites,
            "colours": player.theme,
            "table_settings": player.table_settings,
            "created_at": player.created_at,
            "last_sign_in": player.last_login,
            "last_seen_at": player.last_seen_at,
        },
        "emails": list(
            EmailAddress.objects.filter(user=player).values("email", "verified", "primary")
        ),
        "second_steps": list(
            Authenticator.objects.filter(user=player).values("type", "created_at", "last_used_at")
        ),
        "sign_ins": list(
            UserSession.objects.filter(user=player).values("created_at", "ip", "user_agent")
        ),
        "tokens": list(
            player.tokens.values("name", "prefix", "scopes", "created_at", "last_used", "expires")
        ),
        "clubs": list(player.memberships.values("club__slug", "club__name", "rank", "since")),
        "suspensions": list(player.suspensions.values("reason", "since", "until", "lifted_at")),
        "silences": list(player.silences.values("reason", "since", "until")),
        "muted": list(player.mutes.values("muted__handle", "since")),
        "reports": list(
            player.reports_made.values("subject__handle", "reason", "text", "match", "at")
        ),
        "matches": list(
            Seat.objects.filter(player=player)
            .order_by("match__created_at")
            .values(
                "match",
                "index",
                "name",
                "match__game",
                "match__status",
                "match__created_at",
                "match__finished_at",
            )
        ),
        "entries": list(
            Entrant.objects.filter(Q(player=player) | Q(partner=player))
            .order_by("joined_at")
            .values("tournament__slug", "tournament__name", "status", "seed", "place", "joined_at")
        ),
        "roles": list(Official.objects.filter(player=player).values("tournament__slug", "role")),
        "deeds": list(
            AuditLine.objects.filter(by=player)
            .order_by("at")
            .values("tournament__slug", "at", "action", "reason")
        ),
        "ratings": {
            pool: {"rating": r.rating, "deviation": r.deviation, "matches": r.matches}
            for pool, r in ratings_of(player).items()
        },
        "rating_changes": [
            {
                "match": c.match_id,
                "pool": c.pool,
                "at": c.finished_at,
                "before": c.rating_before,
                "after": c.rating_after,
            }
            for c in RatingChange.objects.filter(player=player).order_by("finished_at")
        ],
        "ladders": list(LadderPlace.objects.filter(player=player).values("ladder__slug", "rank")),
        "challenges": list(
            Challenge.objects.filter(Q(challenger=player) | Q(defender=player)).values(
                "ladder__slug", "challenger__handle", "defender__handle", "state"
            )
        ),
        "leagues": list(LeaguePlayer.objects.filter(player=player).values("league__slug")),
        "notices": [
            {"at": n.created_at, "text": kinds.sentence(n.kind, n.facts), "read_at": n.read_at}
            for n in selectors.of_player(player)
        ],
    }
