-- The tables of Daymark. `daymarkctl migrate` runs this file on an empty database; on a database that has the tables it
-- runs those of sql/migrations that it has not run. The last statement names the migrations whose results are in this
-- file. `tools/schema` adds a migration to it.
--
-- Rules: a statement ends with a semicolon at the end of its line, and may run again after an interruption. Times are in
-- UTC. A boolean is a TINYINT. Texts that people type have the configured collation, whose name here is the default one;
-- names, hashes and codes are ASCII and are compared byte by byte. A `revision` counts the changes of an object.
-- `migrate` itself makes two more tables: schema_migrations and migration_lease (src/store/schema/).

-- == Accounts ==

-- Who owns monitors, pages, incidents and keys. The rows of an account with `removed_at` are being deleted.
CREATE TABLE accounts (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  name VARCHAR(255) NOT NULL,
  created_at DATETIME NOT NULL,
  removed_at DATETIME NULL,
  UNIQUE KEY accounts_name (name),
  KEY accounts_removed (removed_at, id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci;

-- `key_hash`: SHA-256 of the key, which is not stored. `made_by_id`: the key that made this key; 0: the operator.
CREATE TABLE api_keys (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  account_id BIGINT NOT NULL,
  key_hash BINARY(32) NOT NULL,
  label VARCHAR(255) NOT NULL,
  is_read_only TINYINT NOT NULL DEFAULT 0,
  made_by_id BIGINT NOT NULL DEFAULT 0,
  made_by_label VARCHAR(255) NULL,
  expires_at DATETIME NULL,
  revoked_at DATETIME NULL,
  last_used_at DATETIME NULL,
  created_at DATETIME NOT NULL,
  UNIQUE KEY api_keys_hash (key_hash),
  KEY api_keys_account (account_id, id),
  CONSTRAINT api_keys_account_fk FOREIGN KEY (account_id) REFERENCES accounts (id) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci;

-- A row for each quota; a write that a quota limits locks it. `used_today`: see src/store/account/usage.h.
CREATE TABLE account_usage (
  account_id BIGINT NOT NULL,
  quota VARCHAR(24) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  used_today BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (account_id, quota),
  CONSTRAINT account_usage_account_fk FOREIGN KEY (account_id) REFERENCES accounts (id) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci;

-- The responses to requests with an Idempotency-Key, for a day. `status` is NULL while the request runs.
CREATE TABLE idempotency_keys (
  account_id BIGINT NOT NULL,
  key_hash CHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  request_hash CHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  status SMALLINT NULL,
  headers TEXT NULL,
  body MEDIUMTEXT NULL,
  created_at DATETIME NOT NULL,
  PRIMARY KEY (account_id, key_hash),
  KEY idempotency_keys_created (created_at),
  CONSTRAINT idempotency_keys_account_fk FOREIGN KEY (account_id) REFERENCES accounts (id) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci;

-- == Monitors ==

-- What an account watches; visitors call it a system. A retired monitor has a history and takes no reports; the rows of a
-- monitor with `removed_at` are being deleted. `label`: NAME=VALUE, by which alerts find the monitor. `known_since`: the
-- start of the record. `maintained_at`: the end of the last window in which the monitor was down.
CREATE TABLE monitors (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  account_id BIGINT NOT NULL,
  name VARCHAR(255) NOT NULL,
  url VARCHAR(2048) NULL,
  label VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL,
  `group` VARCHAR(255) NULL,
  description VARCHAR(1000) NULL,
  position INT NOT NULL DEFAULT 0,
  is_paused TINYINT NOT NULL DEFAULT 0,
  paused_at DATETIME NULL,
  known_since DATETIME NULL,
  last_up_at DATETIME NULL,
  maintained_at DATETIME NULL,
  retired_at DATETIME NULL,
  removed_at DATETIME NULL,
  created_at DATETIME NOT NULL,
  updated_at DATETIME NOT NULL,
  UNIQUE KEY monitors_label (account_id, label),
  KEY monitors_account (account_id, id),
  KEY monitors_account_name (account_id, name, id),
  KEY monitors_listed (account_id, retired_at, id),
  KEY monitors_listed_name (account_id, retired_at, name, id),
  KEY monitors_removed (removed_at, id),
  CONSTRAINT monitors_account_fk FOREIGN KEY (account_id) REFERENCES accounts (id) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci;

-- == Status pages ==

-- `version` counts the changes that clients make, for ETag and If-Match. The page's domain is not served before
-- `domain_proven_at`, nor after `domain_lost_at`. The `*_file` columns name the published copies of uploads.
CREATE TABLE status_pages (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  account_id BIGINT NOT NULL,
  name VARCHAR(255) NOT NULL,
  slug VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  privacy TINYINT NOT NULL DEFAULT 0,
  password_hash VARCHAR(128) CHARACTER SET ascii COLLATE ascii_bin NULL,
  domain VARCHAR(253) CHARACTER SET ascii COLLATE ascii_bin NULL,
  domain_proven_at DATETIME NULL DEFAULT CURRENT_TIMESTAMP,
  domain_checked_at DATETIME NULL DEFAULT CURRENT_TIMESTAMP,
  domain_missing_since DATETIME NULL,
  domain_lost_at DATETIME NULL,
  time_zone VARCHAR(63) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT 'UTC',
  language VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT 'en',
  logo_file VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NULL,
  logo_dark_file VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NULL,
  favicon_file VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NULL,
  website_url VARCHAR(2048) NULL,
  contact_url VARCHAR(2048) NULL,
  custom_css MEDIUMTEXT NULL,
  custom_js MEDIUMTEXT NULL,
  meta_title VARCHAR(255) NULL,
  meta_description VARCHAR(1000) NULL,
  noindex TINYINT NOT NULL DEFAULT 0,
  show_causes TINYINT NOT NULL DEFAULT 0,
  version BIGINT NOT NULL DEFAULT 1,
  created_at DATETIME NOT NULL,
  updated_at DATETIME NOT NULL,
  UNIQUE KEY status_pages_slug (slug),
  UNIQUE KEY status_pages_domain (domain),
  KEY status_pages_account_id (account_id, id),
  KEY status_pages_account_name (account_id, name, id),
  KEY status_pages_domain_checked (domain_checked_at, domain),
  CONSTRAINT status_pages_account_fk FOREIGN KEY (account_id) REFERENCES accounts (id) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci;

-- The systems of a page, in order. `is_retired`: 1 if the monitor is retired, so that only its history is shown; else NULL.
CREATE TABLE status_page_monitors (
  status_page_id BIGINT NOT NULL,
  monitor_id BIGINT NOT NULL,
  position INT NOT NULL,
  is_retired TINYINT NULL,
  PRIMARY KEY (status_page_id, monitor_id),
  KEY status_page_monitors_monitor (monitor_id, status_page_id),
  CONSTRAINT status_page_monitors_page_fk FOREIGN KEY (status_page_id) REFERENCES status_pages (id) ON DELETE CASCADE,
  CONSTRAINT status_page_monitors_monitor_fk FOREIGN KEY (monitor_id) REFERENCES monitors (id) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci;

-- Uploads: logo, favicon and others (`kind`).
CREATE TABLE status_page_files (
  status_page_id BIGINT NOT NULL,
  kind VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  name VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NULL,
  bytes MEDIUMBLOB NULL,
  size INT AS (LENGTH(bytes)) STORED,
  PRIMARY KEY (status_page_id, kind),
  CONSTRAINT status_page_files_page_fk FOREIGN KEY (status_page_id) REFERENCES status_pages (id) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci;

-- Signed links that open pages which are not public. The link is not stored; its signature names the row.
CREATE TABLE page_links (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  page_id BIGINT NOT NULL,
  label VARCHAR(255) NULL,
  actor_type VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  actor_id BIGINT NOT NULL,
  actor_label VARCHAR(255) NULL,
  created_at DATETIME NOT NULL,
  expires_at DATETIME NOT NULL,
  withdrawn_at DATETIME NULL,
  KEY page_links_page (page_id, expires_at, id),
  CONSTRAINT page_links_page_fk FOREIGN KEY (page_id) REFERENCES status_pages (id) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci;

-- Slugs and domains (`kind`) that a page had; visitors are redirected.
CREATE TABLE former_addresses (
  kind VARCHAR(8) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  name VARCHAR(253) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  page_id BIGINT NOT NULL,
  left_at DATETIME NOT NULL,
  PRIMARY KEY (kind, name),
  KEY former_addresses_page (page_id, left_at),
  CONSTRAINT former_addresses_page_fk FOREIGN KEY (page_id) REFERENCES status_pages (id) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci;

-- == Incidents ==

-- Detected incidents have a monitor, and at most one of a monitor is open. Reported incidents have no monitor here: see
-- incident_monitors. `cause` is the text of monitoring, `title` is public. `status` is 0 unresolved, 1 acknowledged,
-- 2 resolved. `impact` is 0 none to 3 major outage. The six columns from `lesser_impact` on sum up the changes of the
-- impact; `names_pages`: 0 if a reported incident names no page. `ends_at` sorts open incidents last.
CREATE TABLE incidents (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  account_id BIGINT NOT NULL,
  monitor_id BIGINT NULL,
  title VARCHAR(255) NULL,
  cause VARCHAR(1000) NOT NULL,
  comment TEXT NULL,
  phase TINYINT NOT NULL DEFAULT 0,
  impact TINYINT NOT NULL DEFAULT 3,
  started_at DATETIME NOT NULL,
  acknowledged_at DATETIME NULL,
  ended_at DATETIME NULL,
  next_update_at DATETIME NULL,
  exclude_from_uptime TINYINT NOT NULL DEFAULT 0,
  postmortem MEDIUMTEXT NULL,
  names_pages TINYINT NULL,
  lesser_impact TINYINT NOT NULL DEFAULT 0,
  affected_from DATETIME NULL,
  affected_until DATETIME NULL,
  has_outage TINYINT NOT NULL DEFAULT 0,
  outage_from DATETIME NULL,
  outage_until DATETIME NULL,
  revision BIGINT NOT NULL DEFAULT 1,
  created_at DATETIME NOT NULL,
  updated_at DATETIME NOT NULL,
  status TINYINT AS (IF(ended_at IS NOT NULL, 2, IF(acknowledged_at IS NOT NULL, 1, 0))) VIRTUAL,
  ends_at DATETIME AS (IFNULL(ended_at, TIMESTAMP'9999-12-31 00:00:00')) STORED,
  open_monitor_id BIGINT AS (IF(ended_at IS NULL, monitor_id, NULL)) VIRTUAL,
  UNIQUE KEY incidents_one_open (open_monitor_id),
  KEY incidents_ends (account_id, ends_at, id),
  KEY incidents_starts (account_id, started_at, id),
  KEY incidents_status_ends (account_id, status, ends_at, id),
  KEY incidents_status_starts (account_id, status, started_at, id),
  KEY incidents_monitor_ends (monitor_id, ends_at, id),
  KEY incidents_monitor_starts (monitor_id, started_at, id),
  KEY incidents_monitor_status_ends (monitor_id, status, ends_at, id),
  KEY incidents_monitor_status_starts (monitor_id, status, started_at, id),
  CONSTRAINT incidents_account_fk FOREIGN KEY (account_id) REFERENCES accounts (id) ON DELETE CASCADE,
  CONSTRAINT incidents_monitor_fk FOREIGN KEY (monitor_id) REFERENCES monitors (id) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci;

-- The monitors of reported incidents, with their impact; a notice for pages has one row without a monitor. The times are
-- those of the incident, so that the indexes find its rows.
CREATE TABLE incident_monitors (
  incident_id BIGINT NOT NULL,
  position INT NOT NULL,
  account_id BIGINT NOT NULL,
  monitor_id BIGINT NULL,
  impact TINYINT NOT NULL,
  lesser_impact TINYINT NOT NULL,
  affected_from DATETIME NULL,
  affected_until DATETIME NULL,
  has_outage TINYINT NOT NULL,
  outage_from DATETIME NULL,
  outage_until DATETIME NULL,
  started_at DATETIME NOT NULL,
  acknowledged_at DATETIME NULL,
  ended_at DATETIME NULL,
  status TINYINT AS (IF(ended_at IS NOT NULL, 2, IF(acknowledged_at IS NOT NULL, 1, 0))) VIRTUAL,
  ends_at DATETIME AS (IFNULL(ended_at, TIMESTAMP'9999-12-31 00:00:00')) STORED,
  PRIMARY KEY (incident_id, position),
  UNIQUE KEY incident_monitors_monitor (incident_id, monitor_id),
  KEY incident_monitors_account (account_id, position, status),
  KEY incident_monitors_ends (monitor_id, ends_at, incident_id),
  KEY incident_monitors_starts (monitor_id, started_at, incident_id),
  KEY incident_monitors_status_ends (monitor_id, status, ends_at, incident_id),
  KEY incident_monitors_status_starts (monitor_id, status, started_at, incident_id),
  CONSTRAINT incident_monitors_incident_fk FOREIGN KEY (incident_id) REFERENCES incidents (id) ON DELETE CASCADE,
  CONSTRAINT incident_monitors_monitor_fk FOREIGN KEY (monitor_id) REFERENCES monitors (id) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci;

-- The pages that a reported incident names, a row for each month in which the incident goes on.
CREATE TABLE incident_pages (
  status_page_id BIGINT NOT NULL,
  month DATE NOT NULL,
  incident_id BIGINT NOT NULL,
  position INT NOT NULL,
  account_id BIGINT NOT NULL,
  is_shown TINYINT NOT NULL,
  revision BIGINT NOT NULL,
  started_at DATETIME NOT NULL,
  ends_at DATETIME NOT NULL,
  PRIMARY KEY (status_page_id, month, incident_id),
  KEY incident_pages_incident (incident_id, position),
  KEY incident_pages_account (account_id, status_page_id),
  KEY incident_pages_starts (status_page_id, is_shown, started_at, incident_id, ends_at),
  CONSTRAINT incident_pages_page_fk FOREIGN KEY (status_page_id) REFERENCES status_pages (id) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci;

-- What people post about an incident. `impacts`: the impact of each monitor from `at` on, as "ID:IMPACT ...".
CREATE TABLE incident_updates (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  account_id BIGINT NOT NULL,
  incident_id BIGINT NOT NULL,
  phase TINYINT NOT NULL,
  body TEXT NOT NULL,
  impacts TEXT CHARACTER SET ascii COLLATE ascii_bin NULL,
  at DATETIME NOT NULL,
  edited_at DATETIME NULL,
  KEY incident_updates_at (incident_id, at, id),
  KEY incident_updates_account (account_id, id),
  CONSTRAINT incident_updates_incident_fk FOREIGN KEY (incident_id) REFERENCES incidents (id) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci;

-- The alerts of monitoring (`source`) that opened or joined an incident; `group_incident_id`: the one incident of a group.
CREATE TABLE incident_sources (
  account_id BIGINT NOT NULL,
  source VARCHAR(128) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  incident_id BIGINT NOT NULL,
  group_incident_id BIGINT NULL,
  ended_at DATETIME NULL,
  PRIMARY KEY (account_id, source),
  KEY incident_sources_incident (incident_id, ended_at),
  KEY incident_sources_group (group_incident_id, ended_at),
  CONSTRAINT incident_sources_account_fk FOREIGN KEY (account_id) REFERENCES accounts (id) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci;

-- How far a file of incidents was imported, so that a second run goes on there.
CREATE TABLE incident_imports (
  account_id BIGINT NOT NULL,
  file_hash BINARY(32) NOT NULL,
  lines_done BIGINT NOT NULL,
  updated_at DATETIME NOT NULL,
  PRIMARY KEY (account_id, file_hash),
  CONSTRAINT incident_imports_account_fk FOREIGN KEY (account_id) REFERENCES accounts (id) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci;

-- The months in which a monitor has incidents or maintenance; the revision tells which months of a page are to be written.
CREATE TABLE incident_months (
  monitor_id BIGINT NOT NULL,
  month DATE NOT NULL,
  revision BIGINT NOT NULL,
  PRIMARY KEY (monitor_id, month),
  CONSTRAINT incident_months_monitor_fk FOREIGN KEY (monitor_id) REFERENCES monitors (id) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci;

-- The numbers of detected and of reported incidents by status, from which lists take their totals.
CREATE TABLE incident_counts (
  monitor_id BIGINT NOT NULL,
  status TINYINT NOT NULL,
  account_id BIGINT NOT NULL,
  total BIGINT NOT NULL,
  PRIMARY KEY (monitor_id, status),
  KEY incident_counts_account (account_id, status, total),
  CONSTRAINT incident_counts_monitor_fk FOREIGN KEY (monitor_id) REFERENCES monitors (id) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci;

CREATE TABLE report_counts (
  account_id BIGINT NOT NULL,
  status TINYINT NOT NULL,
  total BIGINT NOT NULL,
  PRIMARY KEY (account_id, status),
  CONSTRAINT report_counts_account_fk FOREIGN KEY (account_id) REFERENCES accounts (id) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci;

-- == Maintenance ==

-- A maintenance window. `starts_at` is as the client reads it: a moment in UTC, or the local time of a recurring window.
-- `over_at`: from then on no occurrence is left. `expanded_at`: when the occurrences of a recurring window were last
-- computed; NULL: they need not be computed again.
CREATE TABLE maintenances (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  account_id BIGINT NOT NULL,
  title VARCHAR(255) NOT NULL,
  body TEXT NULL,
  starts_at VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  ends_at DATETIME NULL,
  duration INT NOT NULL,
  time_zone VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NULL,
  rrule VARCHAR(255) CHARACTER SET ascii COLLATE ascii_bin NULL,
  auto_transition TINYINT NOT NULL,
  remind_before INT NOT NULL,
  first_at DATETIME NOT NULL,
  over_at DATETIME NOT NULL,
  expanded_at DATETIME NULL,
  deleted_at DATETIME NULL,
  revision BIGINT NOT NULL DEFAULT 1,
  created_at DATETIME NOT NULL,
  updated_at DATETIME NOT NULL,
  KEY maintenances_account (account_id, id),
  KEY maintenances_starts (account_id, first_at, id),
  KEY maintenances_over (account_id, over_at),
  KEY maintenances_expanded (expanded_at),
  KEY maintenances_deleted (deleted_at),
  CONSTRAINT maintenances_account_fk FOREIGN KEY (account_id) REFERENCES accounts (id) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci;

CREATE TABLE maintenance_monitors (
  maintenance_id BIGINT NOT NULL,
  monitor_id BIGINT NOT NULL,
  position INT NOT NULL,
  PRIMARY KEY (maintenance_id, monitor_id),
  KEY maintenance_monitors_monitor (monitor_id, maintenance_id),
  CONSTRAINT maintenance_monitors_maintenance_fk FOREIGN KEY (maintenance_id) REFERENCES maintenances (id) ON DELETE CASCADE,
  CONSTRAINT maintenance_monitors_monitor_fk FOREIGN KEY (monitor_id) REFERENCES monitors (id) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci;

-- Each time that a window takes place: one row, or one for each repetition. `next_at` is when the clock changes the row;
-- NULL: never. `is_dropped`: the rule no longer has this time.
CREATE TABLE maintenance_occurrences (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  maintenance_id BIGINT NOT NULL,
  starts_at DATETIME NOT NULL,
  ends_at DATETIME NOT NULL,
  status TINYINT NOT NULL,
  is_dropped TINYINT NOT NULL,
  is_reminded TINYINT NOT NULL,
  next_at DATETIME NULL,
  created_at DATETIME NOT NULL,
  updated_at DATETIME NOT NULL,
  KEY maintenance_occurrences_ends (maintenance_id, ends_at, id),
  KEY maintenance_occurrences_next (next_at),
  CONSTRAINT maintenance_occurrences_maintenance_fk FOREIGN KEY (maintenance_id) REFERENCES maintenances (id) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci;

CREATE TABLE maintenance_updates (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  maintenance_id BIGINT NOT NULL,
  occurrence_id BIGINT NOT NULL,
  phase TINYINT NOT NULL,
  body TEXT NOT NULL,
  at DATETIME NOT NULL,
  edited_at DATETIME NULL,
  KEY maintenance_updates_maintenance (maintenance_id, at, id),
  KEY maintenance_updates_occurrence (occurrence_id, at, id),
  CONSTRAINT maintenance_updates_maintenance_fk FOREIGN KEY (maintenance_id) REFERENCES maintenances (id) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci;

-- == Events ==

-- Every change, in the transaction of the change (src/store/event.h). An event outlives its object.
CREATE TABLE events (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  account_id BIGINT NULL,
  kind VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  object VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  object_id BIGINT NOT NULL,
  monitor_id BIGINT NULL,
  actor_type VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  actor_id BIGINT NULL,
  actor_label VARCHAR(255) NOT NULL,
  at DATETIME NOT NULL,
  address VARCHAR(255) NULL,
  request_id VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NULL,
  detail TEXT NULL,
  KEY events_account_at (account_id, at, id, kind),
  KEY events_account_id (account_id, id, kind, at),
  KEY events_account_object (account_id, object, at),
  KEY events_kind (account_id, kind, at),
  KEY events_object (object, object_id),
  CONSTRAINT events_account_fk FOREIGN KEY (account_id) REFERENCES accounts (id) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci;

-- The numbers of events up to event_horizon.counted_id: of all ('' as `what`), of a type of object, of a kind; each for
-- all times, a day or an hour (`span`, `start`).
CREATE TABLE event_counts (
  account_id BIGINT NOT NULL,
  object_id BIGINT NOT NULL,
  what VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  span VARCHAR(4) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  start DATETIME NOT NULL,
  total BIGINT NOT NULL,
  PRIMARY KEY (account_id, object_id, what, span, start),
  CONSTRAINT event_counts_account_fk FOREIGN KEY (account_id) REFERENCES accounts (id) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci;

-- One row (`place` 1): up to which event all are counted, and from which id on transactions may still be open.
CREATE TABLE event_horizon (
  place TINYINT NOT NULL PRIMARY KEY,
  counted_id BIGINT NOT NULL,
  next_id BIGINT NOT NULL,
  next_at DATETIME NULL
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci;

INSERT IGNORE INTO event_horizon (place, counted_id, next_id) VALUES (1, 0, 0);

-- The events that wait for a reader, such as a sender of messages, while the setting `outbox` is on. A reader claims rows
-- (`claim`, `tries`) until `due_at`, and deletes them when its deliveries are stored. src/store/outbox.h has the shape of
-- `payload`.
CREATE TABLE outbox (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  account_id BIGINT NOT NULL,
  kind VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  object_id BIGINT NOT NULL,
  at DATETIME NOT NULL,
  payload MEDIUMTEXT NOT NULL,
  due_at DATETIME NOT NULL,
  claim BIGINT NOT NULL DEFAULT 0,
  tries INT NOT NULL DEFAULT 0,
  KEY outbox_due (due_at, id),
  KEY outbox_at (at),
  KEY outbox_account (account_id, id),
  CONSTRAINT outbox_account_fk FOREIGN KEY (account_id) REFERENCES accounts (id) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci;

-- == Publishing, and the installation ==

-- What is to be published. The row of a page outlives the page, so that each machine removes the page's files. A page is
-- due while a disk has an older revision, and from `next_change_at` on.
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
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci;

-- The key that proves domains.
CREATE TABLE secrets (
  name VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY,
  value VARCHAR(128) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  created_at DATETIME NOT NULL
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci;

-- The installations that use the database, by the addresses of their sites; two at a time are a mistake.
CREATE TABLE installations (
  address VARCHAR(255) NOT NULL PRIMARY KEY,
  since DATETIME NOT NULL,
  seen_at DATETIME NOT NULL
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci;

-- One row: the epoch of all revisions, which rises when the database is replaced by an older one. Its name is the last of
-- all tables, so that a backup has the row at its end.
CREATE TABLE timeline (
  id TINYINT NOT NULL PRIMARY KEY,
  epoch BIGINT NOT NULL
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci;

INSERT IGNORE INTO timeline (id, epoch) VALUES (1, CAST(UNIX_TIMESTAMP(NOW(6)) * 1000000 AS SIGNED));

-- The migrations whose results are above.
INSERT IGNORE INTO schema_migrations (name, checksum, begun_at, applied_at) VALUES
  ('0196_incident_events_drop.sql', 'a5c73e6ffb36a7c7bf263dd99968471bf223d9f93268ea63ec8b72e70a64dba3', UTC_TIMESTAMP(), UTC_TIMESTAMP()),
  ('0197_status_pages_next_change_key.sql', 'fba420d9ebb3ae7e5f2c79d5003ab2085c39b8066c9fc3d6b01b69b501ebed1f', UTC_TIMESTAMP(), UTC_TIMESTAMP()),
  ('0197_status_pages_unpublished_key.sql', '4e531ce18dd792177537d0b5b65b1eae21eba235f18f06045c0fb046ad1c08e4', UTC_TIMESTAMP(), UTC_TIMESTAMP()),
  ('0198_status_pages_next_change_at.sql', 'c53cb5a7c6300c803ebbcea53128e706773bdd21b5544fa308d820cde649de78', UTC_TIMESTAMP(), UTC_TIMESTAMP()),
  ('0198_status_pages_published_on.sql', 'c43ab368b60308ef79b50fc168a43e7e54183700dbac6bbbb5a9cb88eacafa25', UTC_TIMESTAMP(), UTC_TIMESTAMP()),
  ('0198_status_pages_published_revision.sql', '524fdff04d3d29ea4dd1fb6622e8054b79be12179d4230f669170e502f9957b8', UTC_TIMESTAMP(), UTC_TIMESTAMP()),
  ('0198_status_pages_revision.sql', 'c1b1a10e81b48b3bfbcad7adb2d65d220a8de85bbad107a4dcf2ddf19fbd8ec5', UTC_TIMESTAMP(), UTC_TIMESTAMP()),
  ('0198_status_pages_unpublished_since.sql', '5f695c9bee1e742134e0dbbace213c7ba749b24c8f322cfc46748e756bdcd5c3', UTC_TIMESTAMP(), UTC_TIMESTAMP()),
  ('0199_page_links_former_delete.sql', '446bf04de26dd90e8309470fe12f8b4e7dcb68700b59e92d0c7424d3f8b8b905', UTC_TIMESTAMP(), UTC_TIMESTAMP()),
  ('0199_page_links_is_former.sql', '70dab869defaa26d21bd0addccf59c79f24f608c92b4d8801803332fba1ca11f', UTC_TIMESTAMP(), UTC_TIMESTAMP()),
  ('0200_outbox.sql', 'd84e6f8a8b3052635a4f1bd6401773380abcd9188e7d733801e1d22c8a307df2', UTC_TIMESTAMP(), UTC_TIMESTAMP()),
  ('0220_events_words.sql', '0448ea00cd0a4ff39d4f9a5cf02927b6347c6dc226247d982674116ec4b25ab3', UTC_TIMESTAMP(), UTC_TIMESTAMP()),
  ('0221_event_counts_words.sql', 'ed4c174092e53c22892d38d1bf8f5bde0752fbba165b9cec76c1735919983f10', UTC_TIMESTAMP(), UTC_TIMESTAMP());
