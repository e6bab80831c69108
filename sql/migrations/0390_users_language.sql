-- The language of the console for the person; auto: as the browser says.
ALTER TABLE users ADD COLUMN language VARCHAR(8) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT 'auto'
