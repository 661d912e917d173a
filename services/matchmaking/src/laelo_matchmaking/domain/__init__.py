"""Pure: state, events, decisions."""

from laelo_matchmaking.domain.triggers import Plan, Start, plan

__all__ = ["Plan", "Start", "plan"]
