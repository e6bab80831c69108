ALTER TABLE status_pages ADD COLUMN needs_second_person TINYINT NOT NULL DEFAULT 0
