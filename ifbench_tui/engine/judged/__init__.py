"""LLM-judged benchmarks: verdicts out of judgment texts, boards, and the judge's biases."""
