CREATE TABLE incident_imports (
  account_id BIGINT NOT NULL,
  file_hash BINARY(32) NOT NULL,
  lines_done BIGINT NOT NULL,
  updated_at DATETIME NOT NULL,
  PRIMARY KEY (account_id, file_hash),
  CONSTRAINT incident_imports_account_fk FOREIGN KEY (account_id) REFERENCES accounts (id) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci
