ALTER TABLE status_pages DROP COLUMN unpublished_since
