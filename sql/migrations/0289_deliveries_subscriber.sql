ALTER TABLE deliveries ADD KEY deliveries_subscriber (subscriber_id, state, id)
