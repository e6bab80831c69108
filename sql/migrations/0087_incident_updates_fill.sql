INSERT INTO incident_updates (account_id, incident_id, phase, body, at)
SELECT commented.account_id, commented.id,
  IF(commented.ended_at IS NOT NULL AND commented.at >= commented.ended_at, 3, 0), commented.comment, commented.at
FROM (SELECT i.account_id, i.id, i.ended_at, i.comment,
    COALESCE((SELECT MAX(e.at) FROM events e WHERE e.object = 'incident' AND e.object_id = i.id
      AND e.kind = 'incident.commented'), i.updated_at) AS at
  FROM incidents i
  WHERE i.comment IS NOT NULL AND NOT EXISTS (SELECT 1 FROM incident_updates u WHERE u.incident_id = i.id)) commented
