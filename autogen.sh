#!/bin/sh
# Makes ./configure, in a checkout that has none.
set -eu
cd "$(dirname "$0")"
mkdir -p build-aux
tools/list-tests >tests/programs.am
exec autoreconf --install --force
