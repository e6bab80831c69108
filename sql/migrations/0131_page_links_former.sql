INSERT INTO page_links (page_id, label, actor_type, actor_id, actor_label, is_former, created_at, expires_at)
SELECT p.id, 'Links that an earlier release signed', 'system', 0, NULL, 1, UTC_TIMESTAMP(),
  UTC_TIMESTAMP() + INTERVAL 400 DAY
FROM status_pages p
WHERE p.privacy <> 0 AND NOT EXISTS (SELECT 1 FROM page_links l WHERE l.page_id = p.id AND l.is_former = 1)
