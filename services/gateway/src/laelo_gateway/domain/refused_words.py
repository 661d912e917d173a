"""Words that are no part of a nickname. A short list: it stops the careless, not the determined."""

from typing import Final

HOUSE: Final = (
    "admin", "administrador", "administrator", "moderador", "moderator", "suporte", "soporte",
    "support", "equipe", "staff", "oficial", "official", "sistema", "system", "operador",
    "operator", "robô", "robot", "bot", "visita", "guest", "google", "laelo",
)  # fmt: skip
"""Who bears one of these could be taken for the house, or for who has no account."""

RUDE: Final = (
    "arrombado", "bosta", "buceta", "caralho", "cuzao", "foder", "merda", "piranha",
    "porra", "puta", "puto", "viado", "cabron", "coño", "gilipollas", "maricon", "mierda",
    "pendejo", "bitch", "cunt", "faggot", "fuck", "nigger", "shit", "whore", "hitler", "nazi",
)  # fmt: skip
