#!/bin/sh
# Installs the client libraries of other languages than JavaScript, all or those of the languages that are named.
set -eu
cd "$(dirname "$0")"
[ $# -gt 0 ] || set -- python go java rust
for language; do
  case $language in
    python)
      python3 -m venv python/.venv
      python/.venv/bin/pip install --quiet --requirement python/requirements.txt
      ;;
    go)
      (cd go && go mod download)
      (cd oauth2-proxy && go build -o target/ tool)
      ;;
    java)
      rm -rf java/target
      mvn --quiet --batch-mode --file java dependency:copy-dependencies -DoutputDirectory=target/lib
      ;;
    rust)
      (cd rust && cargo vendor --locked --quiet target/vendor)
      ;;
    *) echo "usage: install.sh [python] [go] [java] [rust]" >&2; exit 2 ;;
  esac
done
