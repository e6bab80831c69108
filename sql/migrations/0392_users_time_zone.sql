-- The IANA name of the zone in which the console shows times to the person.
ALTER TABLE users ADD COLUMN time_zone VARCHAR(63) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT 'UTC'
