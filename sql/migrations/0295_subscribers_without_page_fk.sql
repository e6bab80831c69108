-- The subscribers of a deleted page may be many: a job deletes them in steps (subscribers_prune_pages()).
ALTER TABLE subscribers DROP FOREIGN KEY subscribers_page_fk
