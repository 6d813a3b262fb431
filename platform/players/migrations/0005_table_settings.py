from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("players", "0004_suspensions_and_erasure")]

    operations = [
        migrations.AddField(
            model_name="player",
            name="table_settings",
            field=models.JSONField(blank=True, default=dict, verbose_name="settings at the table"),
        ),
    ]
