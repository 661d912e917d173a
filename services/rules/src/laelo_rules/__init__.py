"""The rules of dominoes as played in Pernambuco, pure and over gRPC."""
