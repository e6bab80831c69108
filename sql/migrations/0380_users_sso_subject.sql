-- The identity by which the web server's own authentication knows the user, exactly; NULL: the user has none.
ALTER TABLE users ADD COLUMN sso_subject VARCHAR(512) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL
