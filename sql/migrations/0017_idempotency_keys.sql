CREATE TABLE idempotency_keys (
  account_id BIGINT NOT NULL,
  key_hash CHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  request_hash CHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  status SMALLINT NULL,
  headers TEXT NULL,
  body MEDIUMTEXT NULL,
  created_at DATETIME NOT NULL,
  PRIMARY KEY (account_id, key_hash),
  KEY idempotency_keys_created (created_at),
  CONSTRAINT idempotency_keys_account_fk FOREIGN KEY (account_id) REFERENCES accounts (id) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci
