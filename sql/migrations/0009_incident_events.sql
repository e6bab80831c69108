CREATE TABLE incident_events (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  account_id BIGINT NOT NULL,
  incident_id BIGINT NOT NULL,
  monitor_id BIGINT NOT NULL,
  at DATETIME NOT NULL,
  action VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  actor VARCHAR(255) NOT NULL,
  detail TEXT NULL,
  KEY incident_events_incident (account_id, incident_id, id),
  CONSTRAINT incident_events_account_fk FOREIGN KEY (account_id) REFERENCES accounts (id) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci
