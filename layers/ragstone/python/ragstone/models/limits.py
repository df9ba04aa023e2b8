"""The limits that every chat model is called with."""

CONNECT_SECONDS = 3
READ_SECONDS = 60  # between two pieces of a reply
RETRIES = 2  # only until a reply begins; the SDKs wait between them and honour Retry-After
THINKING_TOKENS = 8_192  # what a model thinks counts towards its limit, and would leave nothing for the reply
