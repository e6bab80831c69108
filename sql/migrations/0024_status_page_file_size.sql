ALTER TABLE status_page_files
  ADD COLUMN size INT AS (LENGTH(bytes)) STORED
