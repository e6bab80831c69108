-- "incident_template" has 17 characters.
ALTER TABLE events MODIFY object VARCHAR(24) CHARACTER SET ascii COLLATE ascii_bin NOT NULL
