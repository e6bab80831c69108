CREATE TABLE events (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  account_id BIGINT NULL,
  kind VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  object VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  object_id BIGINT NOT NULL,
  monitor_id BIGINT NULL,
  actor_type VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  actor_id BIGINT NULL,
  actor_label VARCHAR(255) NOT NULL,
  at DATETIME NOT NULL,
  address VARCHAR(255) NULL,
  request_id VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NULL,
  detail TEXT NULL,
  KEY events_account (account_id, at),
  KEY events_kind (account_id, kind, at),
  KEY events_object (object, object_id),
  CONSTRAINT events_account_fk FOREIGN KEY (account_id) REFERENCES accounts (id) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci
