DROP TABLE incident_events
