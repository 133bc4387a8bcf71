"""Army lists of list builders: read, understood as units, and told of field by field."""
