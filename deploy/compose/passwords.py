"""Prints a password for everybody who needs one, as lines of an .env file.

They begin with a letter and are letters and digits alone: NATS would take digits for a number, and
they stand in addresses.
"""

import secrets
import string

LENGTH = 32
USERS_OF_THE_LOG = ("table", "matchmaking", "tournament", "archive", "deploy", "restore", "sys")
DATABASES = ("gateway", "tournament", "archive", "console")


def password() -> str:
    """A new one, of some 190 bits."""
    rest = "".join(secrets.choice(string.ascii_letters + string.digits) for _ in range(LENGTH - 1))
    return secrets.choice(string.ascii_letters) + rest


def main() -> None:
    """Print all of them."""
    names = [f"NATS_{user.upper()}_PASSWORD" for user in USERS_OF_THE_LOG]
    names += [f"PG_{database.upper()}_PASSWORD" for database in DATABASES]
    for name in (*names, "POSTGRES_PASSWORD"):
        print(f"{name}={password()}")


if __name__ == "__main__":
    main()
