CREATE TABLE incident_sources (
  account_id BIGINT NOT NULL,
  source VARCHAR(128) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  incident_id BIGINT NOT NULL,
  ended_at DATETIME NULL,
  PRIMARY KEY (account_id, source),
  KEY incident_sources_incident (incident_id, ended_at),
  CONSTRAINT incident_sources_account_fk FOREIGN KEY (account_id) REFERENCES accounts (id) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci
