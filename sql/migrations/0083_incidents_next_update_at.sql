ALTER TABLE incidents
  ADD COLUMN next_update_at DATETIME NULL
