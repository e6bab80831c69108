CREATE TABLE event_counts (
  account_id BIGINT NOT NULL,
  object_id BIGINT NOT NULL,
  what VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  span VARCHAR(4) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  start DATETIME NOT NULL,
  total BIGINT NOT NULL,
  PRIMARY KEY (account_id, object_id, what, span, start),
  CONSTRAINT event_counts_account_fk FOREIGN KEY (account_id) REFERENCES accounts (id) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci
