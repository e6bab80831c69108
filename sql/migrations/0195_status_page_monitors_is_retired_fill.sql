UPDATE status_page_monitors SET is_retired = 1
WHERE monitor_id IN (SELECT id FROM monitors WHERE retired_at IS NOT NULL)
