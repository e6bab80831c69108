-- The step (of 30 s, since 1970) of the last code that was used: no code works twice.
ALTER TABLE users ADD COLUMN totp_step BIGINT NOT NULL DEFAULT 0
