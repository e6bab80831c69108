-- outbox_next serves its statements.
ALTER TABLE outbox DROP KEY outbox_due
