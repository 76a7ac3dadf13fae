"""Which strategy and settings cut a document."""
