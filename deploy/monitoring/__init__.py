"""What operators see and are promised: dashboards and service level objectives, as code."""
