ALTER TABLE events
  ADD KEY events_account_object (account_id, object, at)
