ALTER TABLE monitors
  ADD COLUMN label VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL,
  ADD COLUMN last_up_at DATETIME NULL,
  ADD UNIQUE KEY monitors_label (account_id, label)
