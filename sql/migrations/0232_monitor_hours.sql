-- The sums of a monitor's checks in an hour; kept for 14 days, UTC. The response times are of the successful checks.
CREATE TABLE monitor_hours (
  monitor_id BIGINT NOT NULL,
  hour DATETIME NOT NULL,
  checks INT NOT NULL,
  failures INT NOT NULL,
  response_sum_ms BIGINT NOT NULL,
  response_min_ms INT NOT NULL,
  response_max_ms INT NOT NULL,
  PRIMARY KEY (monitor_id, hour),
  KEY monitor_hours_hour (hour, monitor_id),
  CONSTRAINT monitor_hours_monitor_fk FOREIGN KEY (monitor_id) REFERENCES monitors (id) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci
