#!/bin/sh
# Installs what the build needs and is missing, builds the release and shows the article's three tokens worked.
set -eu
cd "$(dirname "$0")"

.ci/install build
cmake --workflow --preset release
build/release/normtrace example cat-eats-fish
