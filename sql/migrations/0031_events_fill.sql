INSERT IGNORE INTO events (id, account_id, kind, object, object_id, monitor_id, actor_type, actor_id,
  actor_label, at, detail)
SELECT id, account_id, CONCAT('incident.', action), 'incident', incident_id, monitor_id,
  IF(actor REGEXP '^key [0-9]', 'key', 'operator'),
  IF(actor REGEXP '^key [0-9]', CAST(SUBSTRING_INDEX(SUBSTRING(actor, 5), ' ', 1) AS SIGNED), NULL),
  IF(actor REGEXP '^key [0-9]',
    IF(LOCATE(' (', actor) > 0, SUBSTRING(actor, LOCATE(' (', actor) + 2,
      CHAR_LENGTH(actor) - LOCATE(' (', actor) - 2), ''), actor),
  at, detail
FROM incident_events
