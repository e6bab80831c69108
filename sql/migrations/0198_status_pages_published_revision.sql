ALTER TABLE status_pages DROP COLUMN published_revision
