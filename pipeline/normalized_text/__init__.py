"""Any supported file becomes one exact text with typed blocks and a section tree."""
