#!/bin/sh
# Installs what the tests need and is missing, builds them and runs them all.
set -eu
cd "$(dirname "$0")"

.ci/install build test
cmake --workflow --preset dev
