from django.db import migrations, models
from django.db.models import F, Q


class Migration(migrations.Migration):
    dependencies = [
        ("players", "0002_clubs"),
        ("tournaments", "0019_stand_ins"),
    ]

    operations = [
        migrations.AddField(
            model_name="league",
            name="club",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=models.SET_NULL,
                related_name="leagues",
                to="players.club",
                verbose_name="club",
            ),
        ),
        migrations.AddConstraint(
            model_name="season",
            constraint=models.CheckConstraint(
                name="season_ends_after_it_begins", condition=Q(ends_on__gte=F("begins_on"))
            ),
        ),
    ]
