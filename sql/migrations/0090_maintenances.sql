-- A maintenance window. `starts_at` is as the client reads it: a moment in UTC, or the local time of
-- a recurring window. `over_at`: from then on no occurrence is left. `expanded_at`: when the
-- occurrences of a recurring window were last computed; NULL: they need not be computed again.
CREATE TABLE maintenances (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  account_id BIGINT NOT NULL,
  title VARCHAR(255) NOT NULL,
  body TEXT NULL,
  starts_at VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  ends_at DATETIME NULL,
  duration INT NOT NULL,
  time_zone VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NULL,
  rrule VARCHAR(255) CHARACTER SET ascii COLLATE ascii_bin NULL,
  auto_transition TINYINT NOT NULL,
  remind_before INT NOT NULL,
  first_at DATETIME NOT NULL,
  over_at DATETIME NOT NULL,
  expanded_at DATETIME NULL,
  deleted_at DATETIME NULL,
  revision BIGINT NOT NULL DEFAULT 1,
  created_at DATETIME NOT NULL,
  updated_at DATETIME NOT NULL,
  KEY maintenances_account (account_id, id),
  KEY maintenances_starts (account_id, first_at, id),
  KEY maintenances_over (account_id, over_at),
  KEY maintenances_expanded (expanded_at),
  KEY maintenances_deleted (deleted_at),
  CONSTRAINT maintenances_account_fk FOREIGN KEY (account_id) REFERENCES accounts (id) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci
