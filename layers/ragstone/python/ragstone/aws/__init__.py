"""AWS services behind Ragstone's ports."""
