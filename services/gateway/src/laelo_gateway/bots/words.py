"""What is said on the page of one's bots, in the three languages."""

from typing import Final

WORDS: Final[dict[str, dict[str, str]]] = {
    "pt": {
        "title": "Seus bots",
        "lead": "Um bot é um programa seu que joga com o nome que você der, marcado com [bot]."
        " Ele entra com o código secreto que aparece aqui uma única vez.",
        "name": "Nome do bot",
        "make": "Criar",
        "revoke": "Revogar",
        "none": "Nenhum bot ainda.",
        "token": "Código de {name}. Copie agora: ele não aparece de novo.",
        "sign_in": "Entre com sua conta para ter bots.",
        "enter": "Entrar",
        "home": "Voltar ao jogo",
        "refused": "Não deu certo",
    },
    "es": {
        "title": "Tus bots",
        "lead": "Un bot es un programa tuyo que juega con el nombre que le des, marcado con [bot]."
        " Entra con el código secreto que aparece aquí una sola vez.",
        "name": "Nombre del bot",
        "make": "Crear",
        "revoke": "Revocar",
        "none": "Todavía no hay bots.",
        "token": "Código de {name}. Cópialo ahora: no vuelve a aparecer.",
        "sign_in": "Entra con tu cuenta para tener bots.",
        "enter": "Entrar",
        "home": "Volver al juego",
        "refused": "No se pudo",
    },
    "en": {
        "title": "Your bots",
        "lead": "A bot is a program of yours that plays under the name that you give it, marked"
        " with [bot]. It comes in with the secret token that is shown here once.",
        "name": "Name of the bot",
        "make": "Make",
        "revoke": "Revoke",
        "none": "No bots yet.",
        "token": "Token of {name}. Copy it now: it is not shown again.",
        "sign_in": "Sign in with your account to have bots.",
        "enter": "Sign in",
        "home": "Back to the game",
        "refused": "That did not work",
    },
}
