INSERT IGNORE INTO incident_months (monitor_id, month, revision)
SELECT DISTINCT x.monitor_id, DATE_FORMAT(o.starts_at, '%Y-%m-01'), 1
FROM maintenance_occurrences o JOIN maintenance_monitors x ON x.maintenance_id = o.maintenance_id
