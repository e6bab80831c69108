CREATE TABLE incident_months (
  monitor_id BIGINT NOT NULL,
  month DATE NOT NULL,
  revision BIGINT NOT NULL,
  PRIMARY KEY (monitor_id, month),
  CONSTRAINT incident_months_monitor_fk FOREIGN KEY (monitor_id) REFERENCES monitors (id) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci
