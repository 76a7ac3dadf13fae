"""Mentions become entities."""
