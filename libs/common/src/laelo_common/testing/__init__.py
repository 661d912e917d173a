"""What tests, tools and measurements of several members share."""
