ALTER TABLE incident_sources
  ADD COLUMN group_incident_id BIGINT NULL
