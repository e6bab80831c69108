ALTER TABLE incident_sources
  ADD KEY incident_sources_group (group_incident_id, ended_at)
