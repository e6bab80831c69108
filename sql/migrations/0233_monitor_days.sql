-- The sums of a monitor's checks in a day, UTC. The response times are of the successful checks. The key begins
-- with the day, so that rows are appended: 10,000 monitors fill 35 pages in a row instead of changing 10,000 pages, and the
-- table takes 40 % of the room. Statements about a monitor name each day (store/check/check_sums.c). No foreign key, which
-- would need an index by monitor. A row with `checks` 0 says nothing.
CREATE TABLE monitor_days (
  monitor_id BIGINT NOT NULL,
  day DATE NOT NULL,
  checks MEDIUMINT UNSIGNED NOT NULL,
  failures MEDIUMINT UNSIGNED NOT NULL,
  response_sum_ms INT UNSIGNED NOT NULL,
  response_min_ms MEDIUMINT UNSIGNED NOT NULL,
  response_max_ms MEDIUMINT UNSIGNED NOT NULL,
  PRIMARY KEY (day, monitor_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci
