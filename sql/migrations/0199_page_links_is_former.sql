ALTER TABLE page_links DROP COLUMN is_former
