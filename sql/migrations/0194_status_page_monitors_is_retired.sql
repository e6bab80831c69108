ALTER TABLE status_page_monitors
  ADD COLUMN is_retired TINYINT NULL
