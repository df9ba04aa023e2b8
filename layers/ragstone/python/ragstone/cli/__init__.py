"""The `ragstone` command and the local environment; not part of what is deployed."""
