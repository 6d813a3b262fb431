"""A rest names its stage; those there were are of the first."""

from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', "0021_spectator_delay"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name='rest',
            name='rest_once_a_round',
        ),
        migrations.RemoveConstraint(
            model_name='rest',
            name='rest_round_from_1',
        ),
        migrations.AddField(
            model_name='rest',
            name='stage',
            field=models.PositiveSmallIntegerField(default=1),
        ),
        migrations.AddConstraint(
            model_name='rest',
            constraint=models.UniqueConstraint(fields=('entrant', 'stage', 'round'), name='rest_once_a_round'),
        ),
        migrations.AddConstraint(
            model_name='rest',
            constraint=models.CheckConstraint(condition=models.Q(('round__gte', 1), ('stage__gte', 1)), name='rest_round_from_1'),
        ),
    ]
