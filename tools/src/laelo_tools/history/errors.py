"""What is found wrong in a history."""


class WrongError(Exception):
    """What is wrong with a commit, in words."""


def same(what: str, found: object, right: object) -> None:
    """Raise WrongError unless both are the same."""
    if found != right:
        raise WrongError(f"{what} is {found!r}, the rules say {right!r}")
