-- Creates the database and its two users. Replace both passwords, and run this file as an
-- administrator of MySQL or MariaDB.
--   daymark          the service: may change rows, not tables
--   daymark_migrate  `daymarkctl migrate`, `backup` and `restore`: may change tables, too
-- If daymark.conf sets another collation, set it here, too.
CREATE DATABASE IF NOT EXISTS daymark CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci;

CREATE USER IF NOT EXISTS 'daymark'@'localhost';
ALTER USER 'daymark'@'localhost' IDENTIFIED BY 'service-password';
GRANT SELECT, INSERT, UPDATE, DELETE ON daymark.* TO 'daymark'@'localhost';

CREATE USER IF NOT EXISTS 'daymark_migrate'@'localhost';
ALTER USER 'daymark_migrate'@'localhost' IDENTIFIED BY 'migrate-password';
GRANT SELECT, INSERT, UPDATE, DELETE, CREATE, ALTER, DROP, INDEX, REFERENCES
  ON daymark.* TO 'daymark_migrate'@'localhost';
