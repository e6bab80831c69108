-- The sums of a monitor's checks in a day, UTC. The response times are of the successful checks.
CREATE TABLE monitor_days (
  monitor_id BIGINT NOT NULL,
  day DATE NOT NULL,
  checks INT NOT NULL,
  failures INT NOT NULL,
  response_sum_ms BIGINT NOT NULL,
  response_min_ms INT NOT NULL,
  response_max_ms INT NOT NULL,
  PRIMARY KEY (monitor_id, day),
  KEY monitor_days_day (day, monitor_id),
  CONSTRAINT monitor_days_monitor_fk FOREIGN KEY (monitor_id) REFERENCES monitors (id) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci
