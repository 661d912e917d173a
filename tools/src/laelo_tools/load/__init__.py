"""Many tables at once, through the gateway, and what they cost."""
