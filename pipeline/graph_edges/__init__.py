"""Accepted claims become edges with evidence."""
