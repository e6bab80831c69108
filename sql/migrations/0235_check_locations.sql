-- Where checks are made. `holder`: the checker that has the lease of the location until `lease_until`. The location 0 with
-- an empty name is that of the installation. A checker that is elsewhere asks for its work, at `seen_at`, by the name of its
-- location.
CREATE TABLE check_locations (
  id BIGINT NOT NULL PRIMARY KEY,
  account_id BIGINT NULL,
  name VARCHAR(64) NOT NULL,
  holder CHAR(16) CHARACTER SET ascii COLLATE ascii_bin NULL,
  lease_until DATETIME(3) NULL,
  seen_at DATETIME NULL,
  cut_off_since DATETIME NULL,
  UNIQUE KEY check_locations_account (account_id, name)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci
