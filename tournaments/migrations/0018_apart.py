"""Who should not meet, in place of a table of pairs that nothing ever wrote."""

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0017_slot_of_a_rank'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Apart',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('people', 'people named'), ('club', 'members of the same club'), ('event', 'who met in an earlier tournament')], max_length=10)),
                ('name', models.CharField(blank=True, default='', max_length=60, verbose_name='name')),
                ('at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('earlier', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tournaments.tournament')),
                ('tournament', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='aparts', to='tournaments.tournament')),
            ],
            options={
                'verbose_name': 'wish to be kept apart',
                'verbose_name_plural': 'wishes to be kept apart',
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='ApartMember',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('apart', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tournaments.apart')),
                ('entrant', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tournaments.entrant')),
            ],
            options={
                'verbose_name': 'member of a wish',
                'verbose_name_plural': 'members of wishes',
            },
        ),
        migrations.AddField(
            model_name='apart',
            name='members',
            field=models.ManyToManyField(related_name='+', through='tournaments.ApartMember', to='tournaments.entrant'),
        ),
        migrations.DeleteModel(
            name='Avoidance',
        ),
        migrations.AddConstraint(
            model_name='apartmember',
            constraint=models.UniqueConstraint(fields=('apart', 'entrant'), name='apart_member_once'),
        ),
        migrations.AddConstraint(
            model_name='apart',
            constraint=models.UniqueConstraint(condition=models.Q(('kind', 'club')), fields=('tournament',), name='apart_clubs_once'),
        ),
        migrations.AddConstraint(
            model_name='apart',
            constraint=models.UniqueConstraint(condition=models.Q(('kind', 'event')), fields=('tournament', 'earlier'), name='apart_event_once'),
        ),
        migrations.AddConstraint(
            model_name='apart',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('earlier__isnull', False), ('kind', 'event')), models.Q(models.Q(('kind', 'event'), _negated=True), ('earlier__isnull', True)), _connector='OR'), name='apart_earlier_when_said'),
        ),
    ]
