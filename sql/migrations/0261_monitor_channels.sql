-- The channels that a monitor lists: they hear of the monitor.
CREATE TABLE monitor_channels (
  monitor_id BIGINT NOT NULL,
  channel_id BIGINT NOT NULL,
  PRIMARY KEY (monitor_id, channel_id),
  KEY monitor_channels_channel (channel_id),
  CONSTRAINT monitor_channels_monitor_fk FOREIGN KEY (monitor_id) REFERENCES monitors (id) ON DELETE CASCADE,
  CONSTRAINT monitor_channels_channel_fk FOREIGN KEY (channel_id) REFERENCES alert_channels (id) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci
