UPDATE monitors SET known_since = LEAST(created_at, COALESCE(
  (SELECT MIN(i.started_at) FROM incidents i WHERE i.monitor_id = monitors.id), created_at))
