"""Blind pairwise votes: what is asked next, on which side, with which words hidden, and what a
vote becomes in the session. Nothing here draws."""
