"""TLS between services, with certificates of both sides.

A service that is told of a folder (`LAELO_<SERVICE>_TLS_FOLDER`) shows the certificate in it to
all whom it calls and who call it, believes nobody without one of the same authority, and lets
each do only what `callers` lists. Without a folder services talk in the clear.
"""

from laelo_common.tls.callers import CALLERS
from laelo_common.tls.files import TlsError
from laelo_common.tls.guard import Guard
from laelo_common.tls.identity import Identity

__all__ = ["CALLERS", "Guard", "Identity", "TlsError"]
