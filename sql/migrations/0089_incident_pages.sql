CREATE TABLE incident_pages (
  status_page_id BIGINT NOT NULL,
  month DATE NOT NULL,
  incident_id BIGINT NOT NULL,
  position INT NOT NULL,
  account_id BIGINT NOT NULL,
  is_shown TINYINT NOT NULL,
  revision BIGINT NOT NULL,
  started_at DATETIME NOT NULL,
  ends_at DATETIME NOT NULL,
  PRIMARY KEY (status_page_id, month, incident_id),
  KEY incident_pages_incident (incident_id, position),
  KEY incident_pages_account (account_id, status_page_id),
  KEY incident_pages_starts (status_page_id, is_shown, started_at, incident_id, ends_at),
  CONSTRAINT incident_pages_page_fk FOREIGN KEY (status_page_id) REFERENCES status_pages (id) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci
