"""Dagster assets, one module each: they read rows, call a pure function of pipeline, write rows."""
