CREATE TABLE outbox (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  account_id BIGINT NOT NULL,
  kind VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  object_id BIGINT NOT NULL,
  at DATETIME NOT NULL,
  payload MEDIUMTEXT NOT NULL,
  due_at DATETIME NOT NULL,
  claim BIGINT NOT NULL DEFAULT 0,
  tries INT NOT NULL DEFAULT 0,
  KEY outbox_due (due_at, id),
  KEY outbox_at (at),
  KEY outbox_account (account_id, id),
  CONSTRAINT outbox_account_fk FOREIGN KEY (account_id) REFERENCES accounts (id) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci
