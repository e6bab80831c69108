ALTER TABLE incidents
  ADD COLUMN affected_until DATETIME NULL
