"""The one error that the laelo command shows to a person instead of a traceback."""


class LaeloError(Exception):
    """A sentence that names the cause and the way out."""
