-- The rows that no sender has expanded, by the time at which they are due; later, for pruning, those that have been.
ALTER TABLE outbox ADD KEY outbox_next (is_expanded, due_at, id)
