CREATE TABLE maintenance_monitors (
  maintenance_id BIGINT NOT NULL,
  monitor_id BIGINT NOT NULL,
  position INT NOT NULL,
  PRIMARY KEY (maintenance_id, monitor_id),
  KEY maintenance_monitors_monitor (monitor_id, maintenance_id),
  CONSTRAINT maintenance_monitors_maintenance_fk FOREIGN KEY (maintenance_id) REFERENCES maintenances (id) ON DELETE CASCADE,
  CONSTRAINT maintenance_monitors_monitor_fk FOREIGN KEY (monitor_id) REFERENCES monitors (id) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci
