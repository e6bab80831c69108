-- The client's address when the session began.
ALTER TABLE user_sessions ADD COLUMN address VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NULL
