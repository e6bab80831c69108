-- What people have written about incidents, until a second person publishes or declines it. `kind` as in enum
-- pending_kind; `request`: the fields of the request, as JSON. A report has no incident yet.
CREATE TABLE pending_updates (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  account_id BIGINT NOT NULL,
  kind TINYINT NOT NULL,
  incident_id BIGINT NULL,
  update_id BIGINT NULL,
  request MEDIUMTEXT NOT NULL,
  author_type VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  author_id BIGINT NOT NULL,
  author_label VARCHAR(255) NOT NULL,
  created_at DATETIME NOT NULL,
  KEY pending_updates_account (account_id, id),
  KEY pending_updates_incident (incident_id, id),
  CONSTRAINT pending_updates_incident_fk FOREIGN KEY (incident_id) REFERENCES incidents (id) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci
