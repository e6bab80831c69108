-- The messages of events for channels, whose texts are made of the row of the outbox. Times that other programs set: due_at is
-- that of the next try, or the end of the lease while a sender sends it; first_due_at is that of the first try. `round` counts
-- reminders. `lease` is a random number.
CREATE TABLE deliveries (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  account_id BIGINT NOT NULL,
  outbox_id BIGINT NOT NULL,
  channel_id BIGINT NOT NULL,
  round INT NOT NULL DEFAULT 0,
  event TINYINT NOT NULL,
  kind VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  object_id BIGINT NOT NULL,
  state TINYINT NOT NULL,
  tries INT NOT NULL DEFAULT 0,
  status SMALLINT NOT NULL DEFAULT 0,
  response VARCHAR(1000) NULL,
  lease BIGINT NOT NULL DEFAULT 0,
  created_at DATETIME NOT NULL,
  due_at DATETIME NOT NULL,
  first_due_at DATETIME NOT NULL,
  tried_at DATETIME NULL,
  UNIQUE KEY deliveries_once (outbox_id, channel_id, round),
  KEY deliveries_due (state, due_at, id),
  KEY deliveries_channel (channel_id, state, id),
  KEY deliveries_account (account_id, id),
  CONSTRAINT deliveries_account_fk FOREIGN KEY (account_id) REFERENCES accounts (id) ON DELETE CASCADE,
  CONSTRAINT deliveries_outbox_fk FOREIGN KEY (outbox_id) REFERENCES outbox (id) ON DELETE CASCADE,
  CONSTRAINT deliveries_channel_fk FOREIGN KEY (channel_id) REFERENCES alert_channels (id) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci
