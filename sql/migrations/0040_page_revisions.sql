CREATE TABLE page_revisions (
  page_id BIGINT NOT NULL PRIMARY KEY,
  account_id BIGINT NOT NULL,
  revision BIGINT NOT NULL DEFAULT 1,
  changed_at DATETIME NOT NULL,
  unpublished_since DATETIME NULL,
  next_change_at DATETIME NOT NULL DEFAULT '1970-01-02 00:00:00',
  deleted_at DATETIME NULL,
  KEY page_revisions_account (account_id, page_id),
  KEY page_revisions_changed (changed_at, page_id),
  KEY page_revisions_unpublished (unpublished_since, page_id),
  KEY page_revisions_next_change (next_change_at, page_id),
  KEY page_revisions_deleted (deleted_at, page_id)
) ENGINE=InnoDB
