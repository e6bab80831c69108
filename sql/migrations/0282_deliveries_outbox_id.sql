-- A subscriber's request to confirm belongs to no row of the outbox.
ALTER TABLE deliveries MODIFY outbox_id BIGINT NULL
