-- The last subscriber who has a delivery of the row, while further ones may need deliveries; NULL: all have theirs.
ALTER TABLE outbox ADD COLUMN subscribers_after BIGINT NULL
