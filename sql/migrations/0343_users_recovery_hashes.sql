-- The hexadecimal SHA-256 of each recovery code that is left, one after the other.
ALTER TABLE users ADD COLUMN recovery_hashes VARCHAR(640) CHARACTER SET ascii COLLATE ascii_bin NULL
