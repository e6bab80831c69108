ALTER TABLE accounts
  ADD KEY accounts_removed (removed_at, id)
