"""Small constructs: domain values in by keyword, public attributes out; the stacks make the grants."""
