-- The kept counts of the same kinds.
UPDATE event_counts SET what = CASE what WHEN 'monitor.added' THEN 'monitor.created'
  WHEN 'monitor.removed' THEN 'monitor.deleted' WHEN 'account.added' THEN 'account.created'
  ELSE 'account.deleted' END
WHERE what IN ('monitor.added', 'monitor.removed', 'account.added', 'account.removed')
