CREATE TABLE former_addresses (
  kind VARCHAR(8) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  name VARCHAR(253) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  page_id BIGINT NOT NULL,
  left_at DATETIME NOT NULL,
  PRIMARY KEY (kind, name),
  KEY former_addresses_page (page_id, left_at),
  CONSTRAINT former_addresses_page_fk FOREIGN KEY (page_id) REFERENCES status_pages (id) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci
