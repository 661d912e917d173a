"""What every service's `main.py` uses: settings, logs, health, ports, start and end.

@asynccontextmanager
async def wire(service: Service[RulesSettings]) -> AsyncIterator[None]:
    servicer = Servicer(...)
    add_RulesServiceServicer_to_server(servicer, service.grpc)
    service.serves("laelo.rules.v1.RulesService")
    service.on_drain(servicer.streams.close)

Yield:
def main() -> int:
    return run_service("rules", RulesSettings, wire)
"""

from laelo_common.runtime.reach import reach
from laelo_common.runtime.run import run_service
from laelo_common.runtime.service import Service, SetupError

__all__ = ["Service", "SetupError", "reach", "run_service"]
