"""Bots with accounts of their own, who play through the gateway like everybody (`laelo bots`)."""
