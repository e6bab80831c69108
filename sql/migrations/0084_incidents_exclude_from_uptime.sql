ALTER TABLE incidents
  ADD COLUMN exclude_from_uptime TINYINT NOT NULL DEFAULT 0
