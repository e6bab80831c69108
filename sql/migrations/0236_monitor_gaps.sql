-- The times in which a monitor that is checked was not observed: the checker was cut off, or did not run. `ended_at` is NULL
-- while the gap lasts; `ends_at` is then far in the future, for indexes.
CREATE TABLE monitor_gaps (
  monitor_id BIGINT NOT NULL,
  started_at DATETIME NOT NULL,
  ended_at DATETIME NULL,
  ends_at DATETIME NOT NULL DEFAULT '9999-12-31 00:00:00',
  PRIMARY KEY (monitor_id, started_at),
  KEY monitor_gaps_ends (monitor_id, ends_at),
  CONSTRAINT monitor_gaps_monitor_fk FOREIGN KEY (monitor_id) REFERENCES monitors (id) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci
