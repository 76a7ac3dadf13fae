select document_id, chunk_id, header from chunks
where not starts_with(header, '[doc=') or header_tokens <= 0
