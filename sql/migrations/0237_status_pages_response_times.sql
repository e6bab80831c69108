ALTER TABLE status_pages ADD COLUMN show_response_times TINYINT NOT NULL DEFAULT 0
