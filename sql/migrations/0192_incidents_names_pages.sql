ALTER TABLE incidents
  ADD COLUMN names_pages TINYINT NULL
