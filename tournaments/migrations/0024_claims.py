"""Links by which people take over the entry that was made for them."""

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', "0023_report_forfeits"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Claim',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(max_length=32, unique=True)),
                ('at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('taken_at', models.DateTimeField(blank=True, null=True)),
                ('entrant', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='claims', to='tournaments.entrant')),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('taken_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'claim',
                'verbose_name_plural': 'claims',
                'constraints': [models.UniqueConstraint(condition=models.Q(('taken_at__isnull', True)), fields=('entrant', 'player'), name='claim_one_open'), models.CheckConstraint(condition=models.Q(models.Q(('taken_at__isnull', True), ('taken_by__isnull', True)), models.Q(('taken_at__isnull', False), ('taken_by__isnull', False)), _connector='OR'), name='claim_taken_by_somebody')],
            },
        ),
    ]
