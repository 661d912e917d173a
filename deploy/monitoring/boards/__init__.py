"""The dashboards: each answers the questions of a person who runs the house."""

from typing import Final

from deploy.monitoring.boards.championships import CHAMPIONSHIPS
from deploy.monitoring.boards.log import LOG
from deploy.monitoring.boards.play import PLAY
from deploy.monitoring.boards.services import SERVICES

BOARDS: Final = (PLAY, CHAMPIONSHIPS, SERVICES, LOG)
