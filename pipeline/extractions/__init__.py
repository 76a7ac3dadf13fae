"""Mentions and claims with exact spans."""
