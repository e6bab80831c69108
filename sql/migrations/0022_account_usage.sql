CREATE TABLE account_usage (
  account_id BIGINT NOT NULL,
  quota VARCHAR(24) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  used_today BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (account_id, quota),
  CONSTRAINT account_usage_account_fk FOREIGN KEY (account_id) REFERENCES accounts (id) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci
