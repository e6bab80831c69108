CREATE TABLE status_page_monitors (
  status_page_id BIGINT NOT NULL,
  monitor_id BIGINT NOT NULL,
  position INT NOT NULL,
  PRIMARY KEY (status_page_id, monitor_id),
  KEY status_page_monitors_monitor (monitor_id, status_page_id),
  CONSTRAINT status_page_monitors_page_fk FOREIGN KEY (status_page_id) REFERENCES status_pages (id) ON DELETE CASCADE,
  CONSTRAINT status_page_monitors_monitor_fk FOREIGN KEY (monitor_id) REFERENCES monitors (id) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci
