"""What a person reads when a sign-in comes to nothing, in the three languages."""

from typing import Final

LANGUAGES: Final = ("pt", "es", "en")

WORDS: Final[dict[str, dict[str, str]]] = {
    "pt": {
        "title": "A entrada não deu certo",
        "SIGN_IN": "Não conseguimos confirmar quem você é. Tente entrar de novo.",
        "BAD_REQUEST": "Esta entrada já terminou, ou começou em outro navegador. Tente de novo.",
        "DENIED": "Você não entrou: a entrada foi cancelada.",
        "TOO_FAST": "Muitas tentativas ao mesmo tempo. Espere um instante e tente de novo.",
        "TRY_LATER": "Agora não dá para entrar: falta um serviço. Tente de novo daqui a pouco.",
        "NONE": "Aqui não há como entrar com uma conta.",
        "again": "Entrar de novo",
        "home": "Voltar ao jogo",
    },
    "es": {
        "title": "No se pudo entrar",
        "SIGN_IN": "No pudimos confirmar quién eres. Intenta entrar de nuevo.",
        "BAD_REQUEST": "Esta entrada ya terminó, o empezó en otro navegador. Intenta de nuevo.",
        "DENIED": "No entraste: la entrada se canceló.",
        "TOO_FAST": "Demasiados intentos a la vez. Espera un momento e intenta de nuevo.",
        "TRY_LATER": "Ahora no se puede entrar: falta un servicio. Intenta de nuevo en un rato.",
        "NONE": "Aquí no se puede entrar con una cuenta.",
        "again": "Entrar de nuevo",
        "home": "Volver al juego",
    },
    "en": {
        "title": "Signing in did not work",
        "SIGN_IN": "We could not make sure who you are. Try to sign in again.",
        "BAD_REQUEST": "This sign-in is over, or began in another browser. Try again.",
        "DENIED": "You are not signed in: it was cancelled.",
        "TOO_FAST": "Too many attempts at once. Wait a moment and try again.",
        "TRY_LATER": "One cannot sign in right now: a service is missing. Try again in a while.",
        "NONE": "One cannot sign in with an account here.",
        "again": "Sign in again",
        "home": "Back to the game",
    },
}


def language_of(accepted: str) -> str:
    """The first of our languages in an Accept-Language header; Portuguese if there is none."""
    for part in accepted.split(","):
        language = part.strip()[:2].lower()
        if language in LANGUAGES:
            return language
    return LANGUAGES[0]
