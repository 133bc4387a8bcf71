"""Studies: many points of one scenario, answered in jobs and kept in a store."""
