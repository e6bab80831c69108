ALTER TABLE status_pages
  ADD COLUMN logo_dark_file VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NULL
