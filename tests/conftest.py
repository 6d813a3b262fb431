"""What every test shares: nothing runs by itself, and no data folder of a real site is touched."""

from __future__ import annotations

import os
import tempfile

# Before Django reads its settings: keys and databases of a test run stay out of var/.
os.environ.setdefault("VAR_DIR", tempfile.mkdtemp(prefix="muggins-test-"))
