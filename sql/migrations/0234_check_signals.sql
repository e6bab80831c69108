-- What the web program tells the checker: heartbeats, and "check now". The checker deletes the rows that it has taken.
-- `kind`: enum check_signal_kind.
CREATE TABLE check_signals (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  monitor_id BIGINT NOT NULL,
  kind TINYINT NOT NULL,
  value INT NOT NULL,
  at DATETIME NOT NULL,
  KEY check_signals_monitor (monitor_id),
  CONSTRAINT check_signals_monitor_fk FOREIGN KEY (monitor_id) REFERENCES monitors (id) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci
