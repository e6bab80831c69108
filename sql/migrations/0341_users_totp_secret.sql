-- The secret of the app, encrypted for the user.
ALTER TABLE users ADD COLUMN totp_secret VARCHAR(255) CHARACTER SET ascii COLLATE ascii_bin NULL
