#!/bin/sh
# What the Lambda Web Adapter starts in place of a handler. The layers' packages are under /opt/python, which only
# Lambda's own bootstrap puts on the path.
export PYTHONPATH="/opt/python${PYTHONPATH:+:$PYTHONPATH}"
exec python -m uvicorn --factory app:build_app --host 127.0.0.1 --port "$AWS_LWA_PORT" --no-access-log
