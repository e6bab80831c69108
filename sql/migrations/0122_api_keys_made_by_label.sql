ALTER TABLE api_keys
  ADD COLUMN made_by_label VARCHAR(255) NULL
