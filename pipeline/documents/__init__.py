"""Files become documents: identity, version, original bytes, and the reason where they do not."""
