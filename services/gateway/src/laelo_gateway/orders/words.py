"""What somebody reads who is shut out, in the three languages."""

from datetime import UTC, datetime, timedelta, timezone
from typing import Final

from laelo_gateway.orders.store import Ban

RECIFE: Final = timezone(timedelta(hours=-3))
FOR_EVER: Final = datetime(9000, 1, 1, tzinfo=UTC)
"""An end that nobody waits for."""

_UNTIL: Final = {
    "pt": "Você está fora do jogo até {day} às {time} (hora do Recife). Motivo: {reason}",
    "es": "Estás fuera del juego hasta el {day} a las {time} (hora de Recife). Motivo: {reason}",
    "en": "You are shut out until {day}, {time} (time of Recife). Reason: {reason}",
}
_FOR_GOOD: Final = {
    "pt": "Você está fora do jogo, sem prazo para voltar. Motivo: {reason}",
    "es": "Estás fuera del juego, sin plazo para volver. Motivo: {reason}",
    "en": "You are shut out for good. Reason: {reason}",
}
_DAYS: Final = {"pt": "%d/%m/%Y", "es": "%d/%m/%Y", "en": "%Y-%m-%d"}


def shut_out(ban: Ban, language: str) -> str:
    """Until when and why; in Portuguese where the language is none of ours."""
    language = language if language in _UNTIL else "pt"
    if ban.until >= FOR_EVER:
        return _FOR_GOOD[language].format(reason=ban.reason)
    until = ban.until.astimezone(RECIFE)
    return _UNTIL[language].format(
        day=until.strftime(_DAYS[language]), time=f"{until:%H:%M}", reason=ban.reason
    )
