-- Each time that a window takes place: one row, or one for each repetition. `next_at` is when the
-- clock changes the row; NULL: never. `is_dropped`: the rule no longer has this time.
CREATE TABLE maintenance_occurrences (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  maintenance_id BIGINT NOT NULL,
  starts_at DATETIME NOT NULL,
  ends_at DATETIME NOT NULL,
  status TINYINT NOT NULL,
  is_dropped TINYINT NOT NULL,
  is_reminded TINYINT NOT NULL,
  next_at DATETIME NULL,
  created_at DATETIME NOT NULL,
  updated_at DATETIME NOT NULL,
  KEY maintenance_occurrences_ends (maintenance_id, ends_at, id),
  KEY maintenance_occurrences_next (next_at),
  CONSTRAINT maintenance_occurrences_maintenance_fk FOREIGN KEY (maintenance_id) REFERENCES maintenances (id) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci
