ALTER TABLE deliveries DROP KEY deliveries_due
