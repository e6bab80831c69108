ALTER TABLE deliveries ADD UNIQUE KEY deliveries_once_subscriber (outbox_id, subscriber_id)
