-- enum delivery_lane
ALTER TABLE deliveries ADD COLUMN lane TINYINT NOT NULL DEFAULT 0
