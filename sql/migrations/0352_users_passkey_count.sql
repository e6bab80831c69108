-- How many rows of user_passkeys the user has.
ALTER TABLE users ADD COLUMN passkey_count BIGINT NOT NULL DEFAULT 0
