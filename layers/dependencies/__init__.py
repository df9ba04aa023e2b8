"""How the Lambda layers of third-party packages are made from uv.lock, without Docker."""
