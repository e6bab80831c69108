ALTER TABLE events
  ADD KEY events_account_at (account_id, at, id, kind)
