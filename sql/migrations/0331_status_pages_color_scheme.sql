ALTER TABLE status_pages ADD COLUMN color_scheme VARCHAR(8) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT 'auto'
