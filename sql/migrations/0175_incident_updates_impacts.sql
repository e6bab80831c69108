ALTER TABLE incident_updates
  ADD COLUMN impacts TEXT CHARACTER SET ascii COLLATE ascii_bin NULL
