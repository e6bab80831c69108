ALTER TABLE outbox DROP KEY outbox_due, ADD KEY outbox_due (is_expanded, due_at, id)
