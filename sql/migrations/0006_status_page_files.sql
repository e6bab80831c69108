CREATE TABLE status_page_files (
  status_page_id BIGINT NOT NULL,
  kind VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  name VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NULL,
  bytes MEDIUMBLOB NULL,
  PRIMARY KEY (status_page_id, kind),
  CONSTRAINT status_page_files_page_fk FOREIGN KEY (status_page_id) REFERENCES status_pages (id) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci
