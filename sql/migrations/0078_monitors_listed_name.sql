ALTER TABLE monitors
  ADD KEY monitors_listed_name (account_id, retired_at, name, id)
