UPDATE api_keys SET
  made_by_id = COALESCE((SELECT MIN(e.actor_id) FROM events e
    WHERE e.object = 'key' AND e.object_id = api_keys.id AND e.kind = 'key.created' AND e.actor_type = 'key'), 0),
  made_by_label = (SELECT MIN(e.actor_label) FROM events e
    WHERE e.object = 'key' AND e.object_id = api_keys.id AND e.kind = 'key.created' AND e.actor_type = 'key')
  WHERE made_by_id = 0
