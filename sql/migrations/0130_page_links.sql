-- The signed links of pages. `is_former`: the row stands for all links that earlier releases signed for
-- the page, which are not stored.
CREATE TABLE page_links (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  page_id BIGINT NOT NULL,
  label VARCHAR(255) NULL,
  actor_type VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  actor_id BIGINT NOT NULL,
  actor_label VARCHAR(255) NULL,
  is_former TINYINT NOT NULL DEFAULT 0,
  created_at DATETIME NOT NULL,
  expires_at DATETIME NOT NULL,
  withdrawn_at DATETIME NULL,
  KEY page_links_page (page_id, expires_at, id),
  CONSTRAINT page_links_page_fk FOREIGN KEY (page_id) REFERENCES status_pages (id) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci
