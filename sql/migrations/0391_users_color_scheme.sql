-- The colours of the console for the person: light, dark; auto: as the browser says.
ALTER TABLE users ADD COLUMN color_scheme VARCHAR(8) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT 'auto'
