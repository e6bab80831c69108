-- The browser, by its own words.
ALTER TABLE user_sessions ADD COLUMN agent VARCHAR(255) NULL
