select document_id, asset, error from failures
