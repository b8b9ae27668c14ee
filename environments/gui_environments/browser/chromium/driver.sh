#!/bin/sh
# Playwright's driver in the Node.js that comes with it, with a small heap and few threads.
exec "${1%/package/cli.js}/node" --optimize-for-size --max-semi-space-size=1 --v8-pool-size=1 "$@"
