"""What people look at: results, tables, figures and their words."""
