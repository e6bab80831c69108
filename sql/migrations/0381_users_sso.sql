ALTER TABLE users ADD UNIQUE KEY users_sso (sso_subject)
