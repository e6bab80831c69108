-- The sums of an hour in monitor_hours, of a monitor that several locations check, by location (0: the installation's own).
CREATE TABLE location_hours (
  monitor_id BIGINT NOT NULL,
  location_id BIGINT NOT NULL,
  hour DATETIME NOT NULL,
  checks MEDIUMINT UNSIGNED NOT NULL,
  failures MEDIUMINT UNSIGNED NOT NULL,
  response_sum_ms INT UNSIGNED NOT NULL,
  response_min_ms MEDIUMINT UNSIGNED NOT NULL,
  response_max_ms MEDIUMINT UNSIGNED NOT NULL,
  PRIMARY KEY (monitor_id, hour, location_id),
  KEY location_hours_hour (hour),
  CONSTRAINT location_hours_monitor_fk FOREIGN KEY (monitor_id) REFERENCES monitors (id) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci
