INSERT IGNORE INTO account_usage (account_id, quota)
SELECT a.id, q.quota
FROM accounts a
JOIN (SELECT 'status_pages' AS quota UNION ALL SELECT 'monitors' UNION ALL SELECT 'incidents'
  UNION ALL SELECT 'uploads' UNION ALL SELECT 'responses') q
