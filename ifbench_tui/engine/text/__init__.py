"""Tokenisers shared by benchmarks: sentences, words, language."""
