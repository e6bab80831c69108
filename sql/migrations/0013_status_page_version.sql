ALTER TABLE status_pages
  ADD COLUMN version BIGINT NOT NULL DEFAULT 1 AFTER revision,
  ADD COLUMN published_on DATE NULL AFTER published_revision
