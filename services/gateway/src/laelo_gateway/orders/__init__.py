"""What operators have ordered and gateways see to: who is shut out, what everybody is told."""
