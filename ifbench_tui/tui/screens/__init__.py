"""One module per place or question."""
