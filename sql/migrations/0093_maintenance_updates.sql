CREATE TABLE maintenance_updates (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  maintenance_id BIGINT NOT NULL,
  occurrence_id BIGINT NOT NULL,
  phase TINYINT NOT NULL,
  body TEXT NOT NULL,
  at DATETIME NOT NULL,
  edited_at DATETIME NULL,
  KEY maintenance_updates_maintenance (maintenance_id, at, id),
  KEY maintenance_updates_occurrence (occurrence_id, at, id),
  CONSTRAINT maintenance_updates_maintenance_fk FOREIGN KEY (maintenance_id) REFERENCES maintenances (id) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci
