"""Dagster: partitions, resources, runs, checks, definitions."""
