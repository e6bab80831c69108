ALTER TABLE status_pages ADD COLUMN accent_color CHAR(7) CHARACTER SET ascii COLLATE ascii_bin NULL
