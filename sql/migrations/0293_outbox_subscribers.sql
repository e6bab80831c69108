ALTER TABLE outbox ADD KEY outbox_subscribers (subscribers_after, id)
