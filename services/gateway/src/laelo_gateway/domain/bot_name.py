"""Names of bot accounts: everybody sees that it is a bot, and no person can look like one."""

from typing import Final

from laelo_gateway.domain.account_name import account_name
from laelo_gateway.domain.nickname import LONGEST, BadNickname

MARK: Final = " [bot]"
"""At the end of the name. Brackets can be in no nickname of a person."""


def bot_name(wanted: str) -> str:
    """The name as it is shown, marked. Raises BadNickname."""
    name = account_name(wanted)
    longest = LONGEST - len(MARK)
    if len(name) > longest:
        raise BadNickname(
            f"a bot's name has at most {longest} characters, this one has {len(name)}"
        )
    return name + MARK


def is_bot(name: str) -> bool:
    """Whether this is the name of a bot account."""
    return name.endswith(MARK)
