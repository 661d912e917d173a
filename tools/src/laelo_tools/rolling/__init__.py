"""Every service restarted, replica by replica, while people play: what is lost, who waits."""
