-- page_revisions has these columns of status_pages.
ALTER TABLE status_pages DROP KEY status_pages_next_change
