select document_id, status, detail from document_status where status like 'rejected:%' or status = 'empty'
