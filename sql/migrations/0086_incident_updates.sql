CREATE TABLE incident_updates (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  account_id BIGINT NOT NULL,
  incident_id BIGINT NOT NULL,
  phase TINYINT NOT NULL,
  body TEXT NOT NULL,
  at DATETIME NOT NULL,
  edited_at DATETIME NULL,
  KEY incident_updates_at (incident_id, at, id),
  KEY incident_updates_account (account_id, id),
  CONSTRAINT incident_updates_incident_fk FOREIGN KEY (incident_id) REFERENCES incidents (id) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci
