"""`laelo top`: what goes on in a house, looked at once a second."""
