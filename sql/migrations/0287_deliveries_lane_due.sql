-- In place of deliveries_due, which knows no lanes.
ALTER TABLE deliveries ADD KEY deliveries_lane_due (lane, state, due_at, id)
