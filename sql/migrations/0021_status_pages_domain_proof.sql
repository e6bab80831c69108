ALTER TABLE status_pages
  ADD COLUMN domain_proven_at DATETIME NULL DEFAULT CURRENT_TIMESTAMP AFTER domain,
  ADD COLUMN domain_checked_at DATETIME NULL DEFAULT CURRENT_TIMESTAMP AFTER domain_proven_at,
  ADD COLUMN domain_missing_since DATETIME NULL AFTER domain_checked_at,
  ADD COLUMN domain_lost_at DATETIME NULL AFTER domain_missing_since,
  ADD KEY status_pages_domain_checked (domain_checked_at, domain)
