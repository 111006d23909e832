"""The rows a judged board came from: a model's judgments as a list, and each as a text."""
