-- How the person signed in: a number of enum user_session_way; 0: a session of an earlier version.
ALTER TABLE user_sessions ADD COLUMN began TINYINT NOT NULL DEFAULT 0
