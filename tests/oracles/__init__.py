"""A naive second reading of the ranked regiments, to hold the real one against."""
