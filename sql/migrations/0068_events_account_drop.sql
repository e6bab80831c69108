ALTER TABLE events
  DROP KEY events_account
