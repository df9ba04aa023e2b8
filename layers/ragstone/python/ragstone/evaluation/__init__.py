"""Measures a deployment: gold questions, variants, metrics, and a report that can fail a release."""
