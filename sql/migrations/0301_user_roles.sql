-- The accounts that a user reaches. `role` is a value of enum role in src/domain/account/principal.h. There is no foreign key to users:
-- the removal of an account finds by these rows the users to delete, and deletes the rows afterwards.
CREATE TABLE user_roles (
  account_id BIGINT NOT NULL,
  user_id BIGINT NOT NULL,
  role TINYINT NOT NULL,
  PRIMARY KEY (account_id, user_id),
  KEY user_roles_user (user_id, account_id),
  CONSTRAINT user_roles_account_fk FOREIGN KEY (account_id) REFERENCES accounts (id) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci
