"""Ratings of models from pairwise battles: exact fits, honest intervals, warnings in words."""
