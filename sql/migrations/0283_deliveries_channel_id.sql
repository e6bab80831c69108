-- A delivery is for a channel or for a subscriber.
ALTER TABLE deliveries MODIFY channel_id BIGINT NULL
