-- The passkeys (WebAuthn) of users. `credential_id` is the authenticator's name for the passkey, `public_key` a
-- SubjectPublicKeyInfo of P-256, both in base64url. `rp_id` is the host name of the console when the passkey was added: the
-- passkey works at this host only.
CREATE TABLE user_passkeys (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  user_id BIGINT NOT NULL,
  credential_id VARCHAR(344) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  public_key VARCHAR(255) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  rp_id VARCHAR(255) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  name VARCHAR(64) NOT NULL,
  counter BIGINT NOT NULL,
  created_at DATETIME NOT NULL,
  used_at DATETIME NULL,
  UNIQUE KEY user_passkeys_credential (credential_id),
  KEY user_passkeys_user (user_id, id),
  KEY user_passkeys_rp (rp_id),
  CONSTRAINT user_passkeys_user_fk FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci
