ALTER TABLE status_pages DROP COLUMN next_change_at
