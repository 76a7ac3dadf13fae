select document_id, asset, error from failures order by document_id, asset
