-- The first delivery of the message that has several events for a subscriber; 0: not decided yet.
ALTER TABLE deliveries ADD COLUMN message_id BIGINT NOT NULL DEFAULT 0
