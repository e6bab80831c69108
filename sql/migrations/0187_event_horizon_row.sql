INSERT IGNORE INTO event_horizon (place, counted_id, next_id) VALUES (1, 0, 0)
