-- How many bytes of the signals that waited on a machine's disk are in check_signals: see src/publish/folder/signal_spool.h.
-- A row lives as long as the file, or some days longer if its process died.
CREATE TABLE check_spools (
  id CHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY,
  moved BIGINT NOT NULL,
  moved_at DATETIME NOT NULL
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci
