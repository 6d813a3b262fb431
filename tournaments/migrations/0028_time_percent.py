from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0027_by_peak")]

    operations = [
        migrations.AddField(
            model_name="entrant",
            name="time_percent",
            field=models.PositiveSmallIntegerField(
                default=100, verbose_name="time at live tables, in percent"
            ),
        ),
        migrations.AddConstraint(
            model_name="entrant",
            constraint=models.CheckConstraint(
                condition=models.Q(("time_percent__in", [100, 150, 200])),
                name="entrant_time_percent",
            ),
        ),
    ]
