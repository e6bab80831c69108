-- The monitors that a report by the template covers.
CREATE TABLE incident_template_monitors (
  template_id BIGINT NOT NULL,
  monitor_id BIGINT NOT NULL,
  PRIMARY KEY (template_id, monitor_id),
  KEY incident_template_monitors_monitor (monitor_id),
  CONSTRAINT incident_template_monitors_template_fk FOREIGN KEY (template_id) REFERENCES incident_templates (id) ON DELETE CASCADE,
  CONSTRAINT incident_template_monitors_monitor_fk FOREIGN KEY (monitor_id) REFERENCES monitors (id) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci
