"""What the services hold at a moment: memory, file handles, tasks, subscriptions, consumers."""

import asyncio
import re
from collections import defaultdict
from collections.abc import Mapping
from typing import Any, Final

import httpx
from laelo_tools.load.processes import PROC, memory
from laelo_tools.platform import Platform
from laelo_tools.second_copy.places import log_at

_METRICS: Final = {
    "tasks": "laelo_tasks",
    "subscriptions": "laelo_log_subscriptions",
    "warm_tables": "laelo_table_warm",
}
STREAMS: Final = ("TBL", "TRN", "MMQ", "SNAP", "CLOCK", "WAIT")

Services = dict[str, dict[str, float]]


class Readings:
    """Reads one platform; `http` is where each replica shows its metrics."""

    def __init__(self, platform: Platform, http: Mapping[str, str]) -> None:
        self._platform = platform
        self._http = http

    async def services(self) -> Services:
        """By service, its replicas together."""
        found: Services = defaultdict(lambda: defaultdict(float))
        for name, pid in self._platform.pids.items():
            service = found[name.partition("-")[0]]
            service["memory_mb"] += memory(pid).pss / 1e6
            service["handles"] += len(list((PROC / f"{pid}/fd").iterdir()))
            service["threads"] += len(list((PROC / f"{pid}/task").iterdir()))
        async with httpx.AsyncClient() as client:
            texts = await asyncio.gather(
                *(client.get(f"http://{at}/metrics") for at in self._http.values())
            )
        for name, answer in zip(self._http, texts, strict=True):
            service = found[name.partition("-")[0]]
            for reading, metric in _METRICS.items():
                if (value := _value(answer.text, metric)) is not None:
                    service[reading] += value
        return {
            name: {what: round(value, 2) for what, value in one.items()}
            for name, one in found.items()
        }

    async def log(self) -> dict[str, int]:
        """Consumers of the log, and all that it holds."""
        consumers = messages = 0
        async with log_at(self._platform.nats_url) as connection:
            jetstream: Any = connection.wire.jetstream()
            for name in STREAMS:
                state = (await jetstream.stream_info(name)).state
                consumers += state.consumer_count
                messages += state.messages
        return {"consumers": consumers, "messages": messages}


def _value(text: str, metric: str) -> float | None:
    found = re.findall(rf"^{metric}(?:{{[^}}]*}})? (\S+)$", text, re.MULTILINE)
    return sum(map(float, found)) if found else None
