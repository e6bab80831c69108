ALTER TABLE events
  ADD KEY events_account_id (account_id, id, kind, at)
