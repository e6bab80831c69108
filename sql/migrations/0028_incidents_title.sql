ALTER TABLE incidents
  ADD COLUMN title VARCHAR(255) NULL AFTER monitor_id
