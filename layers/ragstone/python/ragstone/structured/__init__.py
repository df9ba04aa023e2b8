"""Tables as documents: what a file of rows holds, and each of its rows as a document of its own."""
