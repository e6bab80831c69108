-- A random number by which lists name the session; 0: a session of an earlier version.
ALTER TABLE user_sessions ADD COLUMN id BIGINT NOT NULL DEFAULT 0
