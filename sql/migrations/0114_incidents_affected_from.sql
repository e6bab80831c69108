ALTER TABLE incidents
  ADD COLUMN affected_from DATETIME NULL
