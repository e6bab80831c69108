ALTER TABLE deliveries ADD CONSTRAINT deliveries_subscriber_fk FOREIGN KEY (subscriber_id)
  REFERENCES subscribers (id) ON DELETE CASCADE
