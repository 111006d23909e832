"""Boards of judged benchmarks: what `score` and the screens show for annotations and judgments."""
