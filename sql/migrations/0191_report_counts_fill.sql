INSERT IGNORE INTO report_counts (account_id, status, total)
SELECT account_id, status, COUNT(*) FROM incident_monitors WHERE position = 0 GROUP BY account_id, status
