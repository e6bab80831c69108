ALTER TABLE status_pages ADD COLUMN header_image_file VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NULL
