-- The identity with which the session began; NULL: the session began by password or link.
ALTER TABLE user_sessions ADD COLUMN sso_subject VARCHAR(512) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL
