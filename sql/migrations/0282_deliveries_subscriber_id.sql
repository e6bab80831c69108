-- A delivery is for a channel or for a subscriber. A subscriber's request to confirm belongs to no row of the outbox. `lane`:
-- enum delivery_lane. `message_id`: the first delivery of the message that has several events for a subscriber; 0: not decided.
ALTER TABLE deliveries
  MODIFY outbox_id BIGINT NULL,
  MODIFY channel_id BIGINT NULL,
  ADD COLUMN subscriber_id BIGINT NULL AFTER channel_id,
  ADD COLUMN lane TINYINT NOT NULL DEFAULT 0,
  ADD COLUMN message_id BIGINT NOT NULL DEFAULT 0,
  DROP KEY deliveries_due,
  ADD KEY deliveries_due (lane, state, due_at, id),
  ADD KEY deliveries_subscriber (subscriber_id, state, id),
  ADD UNIQUE KEY deliveries_once_subscriber (outbox_id, subscriber_id),
  ADD CONSTRAINT deliveries_subscriber_fk FOREIGN KEY (subscriber_id) REFERENCES subscribers (id) ON DELETE CASCADE
