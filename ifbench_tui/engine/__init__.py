"""What is true about texts and votes. Pure: no I/O, no clock, no network, no global random state."""
