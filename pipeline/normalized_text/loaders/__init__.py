"""One module per loader, each with ``load(source, settings)``; the registry names them."""
