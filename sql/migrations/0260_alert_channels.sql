-- The services by which an account hears of its systems. `value` has the address and its secrets, encrypted with the
-- installation's key; `address` names the receiver without secrets. `type` is the number of a word in domain/notify/alert_channel.c.
CREATE TABLE alert_channels (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  account_id BIGINT NOT NULL,
  name VARCHAR(255) NOT NULL,
  type TINYINT NOT NULL,
  address VARCHAR(255) NOT NULL,
  sealed_value TEXT CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  is_enabled TINYINT NOT NULL,
  takes_all_monitors TINYINT NOT NULL,
  events VARCHAR(255) CHARACTER SET ascii COLLATE ascii_bin NULL,
  delay INT NOT NULL,
  reminder INT NOT NULL,
  quiet_from VARCHAR(5) CHARACTER SET ascii COLLATE ascii_bin NULL,
  quiet_until VARCHAR(5) CHARACTER SET ascii COLLATE ascii_bin NULL,
  time_zone VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NULL,
  suspended_at DATETIME NULL,
  suspension VARCHAR(1000) NULL,
  created_at DATETIME NOT NULL,
  updated_at DATETIME NOT NULL,
  KEY alert_channels_account (account_id, id),
  CONSTRAINT alert_channels_account_fk FOREIGN KEY (account_id) REFERENCES accounts (id) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci
