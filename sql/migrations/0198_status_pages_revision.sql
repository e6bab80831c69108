ALTER TABLE status_pages DROP COLUMN revision
