-- The sessions of users in the console. `token_hash` is the SHA-256 of the cookie's token. `used_at` is stored at most once
-- in some minutes.
CREATE TABLE user_sessions (
  token_hash BINARY(32) NOT NULL PRIMARY KEY,
  user_id BIGINT NOT NULL,
  account_id BIGINT NOT NULL,
  created_at DATETIME NOT NULL,
  used_at DATETIME NOT NULL,
  KEY user_sessions_user (user_id),
  KEY user_sessions_account (account_id),
  KEY user_sessions_used (used_at),
  CONSTRAINT user_sessions_account_fk FOREIGN KEY (account_id) REFERENCES accounts (id) ON DELETE CASCADE,
  CONSTRAINT user_sessions_user_fk FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci
