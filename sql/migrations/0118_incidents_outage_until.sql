ALTER TABLE incidents
  ADD COLUMN outage_until DATETIME NULL
