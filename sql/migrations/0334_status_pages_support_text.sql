ALTER TABLE status_pages ADD COLUMN support_text VARCHAR(1000) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci NULL
