ALTER TABLE incidents
  DROP KEY incidents_ends,
  DROP KEY incidents_status_ends,
  DROP KEY incidents_monitor_ends,
  DROP KEY incidents_monitor_status_ends,
  DROP COLUMN ends_at,
  ADD COLUMN ends_at DATETIME AS (IFNULL(ended_at, TIMESTAMP'9999-12-31 00:00:00')) STORED AFTER status,
  ADD KEY incidents_ends (account_id, ends_at, id),
  ADD KEY incidents_status_ends (account_id, status, ends_at, id),
  ADD KEY incidents_monitor_ends (monitor_id, ends_at, id),
  ADD KEY incidents_monitor_status_ends (monitor_id, status, ends_at, id)
