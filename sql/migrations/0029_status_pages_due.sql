ALTER TABLE status_pages
  ADD COLUMN show_causes TINYINT NOT NULL DEFAULT 0 AFTER noindex,
  ADD COLUMN next_change_at DATETIME NOT NULL DEFAULT '1970-01-02 00:00:00' AFTER published_revision,
  ADD KEY status_pages_next_change (next_change_at, id)
