INSERT IGNORE INTO incident_months (monitor_id, month, revision)
SELECT monitor_id, DATE_FORMAT(started_at, '%Y-%m-01') AS its_month, 1
FROM incidents
GROUP BY monitor_id, its_month
