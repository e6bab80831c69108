-- The people who sign in to the console. `password_hash` is NULL until a person has set the password by a link; it is
-- Argon2id. `link_hash` is the SHA-256 of the token of the user's one valid link, `link_kind` the number of a word in
-- src/domain/account/user.c.
CREATE TABLE users (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  name VARCHAR(64) NOT NULL,
  email VARCHAR(254) NULL,
  password_hash VARCHAR(255) CHARACTER SET ascii COLLATE ascii_bin NULL,
  link_hash BINARY(32) NULL,
  link_kind TINYINT NOT NULL DEFAULT 0,
  link_ends_at DATETIME NULL,
  disabled_at DATETIME NULL,
  signed_in_at DATETIME NULL,
  created_at DATETIME NOT NULL,
  UNIQUE KEY users_name (name),
  UNIQUE KEY users_link (link_hash)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci
