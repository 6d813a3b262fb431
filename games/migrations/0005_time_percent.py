from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0004_words")]

    operations = [
        migrations.AddField(
            model_name="seat",
            name="time_percent",
            field=models.PositiveSmallIntegerField(default=100),
        ),
        migrations.AddConstraint(
            model_name="seat",
            constraint=models.CheckConstraint(
                condition=models.Q(("time_percent__in", [100, 150, 200])),
                name="seat_time_percent",
            ),
        ),
    ]
