-- When the user has last proven to be the user, by password, code or link; NULL: when the session began.
ALTER TABLE user_sessions ADD COLUMN confirmed_at DATETIME NULL
