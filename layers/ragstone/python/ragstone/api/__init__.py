"""The HTTP API: what goes in is validated here, what comes out is shaped here."""
