"""An issuer of our own, for one machine: anybody may say who they are."""

from laelo_gateway.accounts.development.issuer import PATH, Client, DevelopmentIssuer

__all__ = ["PATH", "Client", "DevelopmentIssuer"]
