CREATE TABLE installations (
  address VARCHAR(255) NOT NULL,
  since DATETIME NOT NULL,
  seen_at DATETIME NOT NULL,
  PRIMARY KEY (address)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci
