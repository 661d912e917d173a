"""What may be told of queue and championships, and to whom (R40). No I/O, time or chance.

All that leaves for a client is made here, of two things only: what anybody may see, and what
concerns that client itself. Nothing is ordered by who somebody is, so order tells nothing;
and everything that depends on hidden players is left out, so size tells nothing either.
"""
