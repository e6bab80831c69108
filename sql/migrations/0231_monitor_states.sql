-- What the checks of a monitor have found; see src/domain/monitor/check_state.h. The row of the location 0 is the state of the
-- monitor. The rows of other locations are their votes, and have been sent at `voted_at`. `phase`: its place
-- in check_phase_words. `reported`: the place in enum check_report of what the monitor's incidents were told, since
-- `reported_since`. `tls_seen_at`: when the certificate was last seen. `tls_told` and `domain_told`: the date that was told
-- last, and so many days before it; 0: that it has passed. `tls_issuer_told`: the issuer that is known. `domain_name`: the
-- registered domain that the dates of the domain are of; `domain_checked_at`: when its registry last stated its end,
-- `domain_asked_at`: when it was last asked.
CREATE TABLE monitor_states (
  monitor_id BIGINT NOT NULL,
  location_id BIGINT NOT NULL DEFAULT 0,
  phase TINYINT NOT NULL,
  since DATETIME NULL,
  checked_at DATETIME NULL,
  failing_since DATETIME NULL,
  well_since DATETIME NULL,
  failures INT NOT NULL,
  successes INT NOT NULL,
  is_slow TINYINT NOT NULL,
  changes INT NOT NULL,
  changes_since DATETIME NULL,
  is_flapping TINYINT NOT NULL,
  response_ms INT NOT NULL,
  cause VARCHAR(255) NULL,
  tls_expires_at DATETIME NULL,
  tls_issuer VARCHAR(255) NULL,
  tls_seen_at DATETIME NULL,
  tls_told DATETIME NULL,
  tls_told_days TINYINT NULL,
  tls_issuer_told VARCHAR(255) NULL,
  domain_name VARCHAR(255) NULL,
  domain_expires_at DATETIME NULL,
  domain_checked_at DATETIME NULL,
  domain_asked_at DATETIME NULL,
  domain_told DATETIME NULL,
  domain_told_days TINYINT NULL,
  reported TINYINT NOT NULL DEFAULT 0,
  reported_since DATETIME NULL,
  voted_at DATETIME NULL,
  PRIMARY KEY (monitor_id, location_id),
  KEY monitor_states_voted (voted_at),
  CONSTRAINT monitor_states_monitor_fk FOREIGN KEY (monitor_id) REFERENCES monitors (id) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci
