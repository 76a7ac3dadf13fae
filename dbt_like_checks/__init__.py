"""Asset checks as SQL: one file each, declared in checks.yaml."""
