from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0003_spectator_delay")]

    operations = [
        migrations.AddField(
            model_name="match",
            name="words",
            field=models.JSONField(blank=True, default=list),
        ),
    ]
