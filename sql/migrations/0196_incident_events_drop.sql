-- Their rows are in `events`.
DROP TABLE IF EXISTS incident_events
