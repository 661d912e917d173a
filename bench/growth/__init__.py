"""How costs grow: with tables, with what is stored, with replicas, with clients that come back."""
