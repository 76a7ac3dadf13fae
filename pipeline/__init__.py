"""Edgekeeper: a folder of documents becomes a knowledge graph whose every edge traces to a sentence."""
