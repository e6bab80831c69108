CREATE TABLE incident_counts (
  monitor_id BIGINT NOT NULL,
  status TINYINT NOT NULL,
  account_id BIGINT NOT NULL,
  total BIGINT NOT NULL,
  PRIMARY KEY (monitor_id, status),
  KEY incident_counts_account (account_id, status, total),
  CONSTRAINT incident_counts_monitor_fk FOREIGN KEY (monitor_id) REFERENCES monitors (id) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci
