-- Whether the row has its deliveries. The row stays for their texts.
ALTER TABLE outbox ADD COLUMN is_expanded TINYINT NOT NULL DEFAULT 0
