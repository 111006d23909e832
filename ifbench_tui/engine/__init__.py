"""What is true about texts and votes. Pure: no I/O, clock, network or shared random state."""
