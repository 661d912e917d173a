"""Where a name is to be put in: the table service knows people by id, the gateway by name.

A frame that the table service makes has, in the place of an account's name, this mark and the
person's id. It is a character that no name can have, and so nobody can be called like that.
"""

from typing import Final

ACCOUNT_MARK: Final = "\0"
