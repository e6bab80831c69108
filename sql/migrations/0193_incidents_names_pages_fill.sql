UPDATE incidents SET names_pages = 0
WHERE monitor_id IS NULL AND id NOT IN (SELECT incident_id FROM incident_pages)
