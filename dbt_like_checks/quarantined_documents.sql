select document_id, asset, check_name, failing_rows from quarantine
