-- The visitors of a page who receive messages about it. `type` is the number of a word in src/domain/notify/subscriber.c; `address`
-- is one of e-mail, or the URL of a webhook, and `address_hash` its SHA-256 in hexadecimal. `takes_all`: hears of the whole page,
-- otherwise of the systems in subscriber_monitors. `confirmed_at` is NULL until the receiver confirms. `bounces`: messages
-- that came back, each on another day; `bounced_at` is when the last did.
CREATE TABLE subscribers (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  account_id BIGINT NOT NULL,
  page_id BIGINT NOT NULL,
  type TINYINT NOT NULL,
  address VARCHAR(2048) NOT NULL,
  address_hash CHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  takes_all TINYINT NOT NULL,
  created_at DATETIME NOT NULL,
  confirmed_at DATETIME NULL,
  suspended_at DATETIME NULL,
  suspension VARCHAR(1000) NULL,
  bounces INT NOT NULL DEFAULT 0,
  bounced_at DATETIME NULL,
  UNIQUE KEY subscribers_address (page_id, address_hash),
  KEY subscribers_account (account_id, id),
  KEY subscribers_page (page_id, id),
  KEY subscribers_unconfirmed (confirmed_at, created_at),
  CONSTRAINT subscribers_account_fk FOREIGN KEY (account_id) REFERENCES accounts (id) ON DELETE CASCADE,
  CONSTRAINT subscribers_page_fk FOREIGN KEY (page_id) REFERENCES status_pages (id) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci
