-- The sums of a monitor's checks in an hour; kept for 14 days, UTC. The response times are of the successful checks. The key begins
-- with the hour, so that rows are appended: 10,000 monitors fill 35 pages in a row instead of changing 10,000 pages, and the
-- table takes 40 % of the room. Statements about a monitor name each hour (store/check/check_sums.c). No foreign key, which
-- would need an index by monitor. A row with `checks` 0 says nothing.
CREATE TABLE monitor_hours (
  monitor_id BIGINT NOT NULL,
  hour DATETIME NOT NULL,
  checks MEDIUMINT UNSIGNED NOT NULL,
  failures MEDIUMINT UNSIGNED NOT NULL,
  response_sum_ms INT UNSIGNED NOT NULL,
  response_min_ms MEDIUMINT UNSIGNED NOT NULL,
  response_max_ms MEDIUMINT UNSIGNED NOT NULL,
  PRIMARY KEY (hour, monitor_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci
