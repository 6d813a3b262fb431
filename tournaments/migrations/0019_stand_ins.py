"""Who came into an entry while its event ran."""

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0018_apart'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='StandIn',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('round', models.PositiveSmallIntegerField()),
                ('at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('entrant', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='stand_ins', to='tournaments.entrant')),
                ('into', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('out', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('stage', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tournaments.stage')),
            ],
            options={
                'verbose_name': 'stand-in',
                'verbose_name_plural': 'stand-ins',
                'ordering': ['pk'],
                'constraints': [models.CheckConstraint(condition=models.Q(('out', models.F('into')), _negated=True), name='stand_in_another'), models.CheckConstraint(condition=models.Q(('round__gte', 1)), name='stand_in_round_from_1')],
            },
        ),
    ]
