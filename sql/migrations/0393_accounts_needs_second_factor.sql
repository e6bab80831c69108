-- Whether people of the account need a second factor, a passkey or single sign-on.
ALTER TABLE accounts ADD COLUMN needs_second_factor TINYINT NOT NULL DEFAULT 0
