"""The edgekeeper command."""
