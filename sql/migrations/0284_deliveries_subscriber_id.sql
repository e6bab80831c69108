ALTER TABLE deliveries ADD COLUMN subscriber_id BIGINT NULL AFTER channel_id
