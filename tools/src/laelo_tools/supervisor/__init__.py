"""Runs child processes in order, keeps them running, stops them in reverse order."""

from laelo_tools.supervisor.child import Child
from laelo_tools.supervisor.program import Program
from laelo_tools.supervisor.supervisor import OnExit, Supervisor

__all__ = ["Child", "OnExit", "Program", "Supervisor"]
