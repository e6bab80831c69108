-- The systems of which a subscriber hears who does not hear of the whole page.
CREATE TABLE subscriber_monitors (
  subscriber_id BIGINT NOT NULL,
  monitor_id BIGINT NOT NULL,
  PRIMARY KEY (subscriber_id, monitor_id),
  KEY subscriber_monitors_monitor (monitor_id),
  CONSTRAINT subscriber_monitors_subscriber_fk FOREIGN KEY (subscriber_id) REFERENCES subscribers (id) ON DELETE CASCADE,
  CONSTRAINT subscriber_monitors_monitor_fk FOREIGN KEY (monitor_id) REFERENCES monitors (id) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci
