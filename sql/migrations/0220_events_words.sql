-- The kinds of events that make and remove a monitor or an account have the words of all others.
UPDATE events SET kind = CASE kind WHEN 'monitor.added' THEN 'monitor.created'
  WHEN 'monitor.removed' THEN 'monitor.deleted' WHEN 'account.added' THEN 'account.created'
  ELSE 'account.deleted' END
WHERE kind IN ('monitor.added', 'monitor.removed', 'account.added', 'account.removed')
