-- The console counts an account's suspended subscribers.
ALTER TABLE subscribers ADD KEY subscribers_suspended (account_id, suspended_at)
