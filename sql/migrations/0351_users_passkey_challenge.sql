-- When the last challenge that a passkey of the user has signed was made, in microseconds since 1970: no challenge works twice.
ALTER TABLE users ADD COLUMN passkey_challenge BIGINT NOT NULL DEFAULT 0
