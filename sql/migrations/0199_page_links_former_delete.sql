-- The links that were signed before links had rows: they count no longer.
DELETE FROM page_links WHERE is_former = 1
