CREATE TABLE report_counts (
  account_id BIGINT NOT NULL,
  status TINYINT NOT NULL,
  total BIGINT NOT NULL,
  PRIMARY KEY (account_id, status),
  CONSTRAINT report_counts_account_fk FOREIGN KEY (account_id) REFERENCES accounts (id) ON DELETE CASCADE
) ENGINE=InnoDB
