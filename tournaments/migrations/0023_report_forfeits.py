"""Two scorers say who never came, too."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', "0022_rest_in_a_stage"),
    ]

    operations = [
        migrations.AddField(
            model_name='report',
            name='forfeits',
            field=models.JSONField(blank=True, default=list),
        ),
    ]
