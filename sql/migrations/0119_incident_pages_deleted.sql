DELETE g FROM incident_pages g LEFT JOIN incidents i ON i.id = g.incident_id WHERE i.id IS NULL
