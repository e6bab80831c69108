-- Texts and fields for reports of incidents. `phase` and `impact` are numbers of words in domain/incident/incident.c.
CREATE TABLE incident_templates (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  account_id BIGINT NOT NULL,
  name VARCHAR(255) NOT NULL,
  title VARCHAR(255) NOT NULL,
  body TEXT NULL,
  phase TINYINT NOT NULL,
  impact TINYINT NOT NULL,
  created_at DATETIME NOT NULL,
  updated_at DATETIME NOT NULL,
  UNIQUE KEY incident_templates_name (account_id, name),
  CONSTRAINT incident_templates_account_fk FOREIGN KEY (account_id) REFERENCES accounts (id) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci
