ALTER TABLE monitors
  ADD KEY monitors_removed (removed_at, id)
