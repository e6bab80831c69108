-- When the user's authenticator app was set up; NULL: the user has none.
ALTER TABLE users ADD COLUMN totp_at DATETIME NULL
