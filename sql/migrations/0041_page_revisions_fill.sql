INSERT IGNORE INTO page_revisions (page_id, account_id, revision, changed_at, unpublished_since, next_change_at)
SELECT p.id, p.account_id, p.revision + 1000000, UTC_TIMESTAMP(), p.unpublished_since, p.next_change_at
FROM status_pages p
