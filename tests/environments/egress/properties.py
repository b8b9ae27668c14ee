"""How properties are tried: the same examples in every run, and no test that depends on time."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

steadily = settings(deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
