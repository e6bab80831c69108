-- `location`: of the checker that uses the key, which may do nothing else.
ALTER TABLE api_keys ADD COLUMN location VARCHAR(32) COLLATE utf8mb4_unicode_520_ci NULL
