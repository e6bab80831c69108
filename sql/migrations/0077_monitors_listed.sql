ALTER TABLE monitors
  ADD KEY monitors_listed (account_id, retired_at, id)
