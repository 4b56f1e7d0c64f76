#!/bin/sh
# SPDX-License-Identifier: MIT
# The documentation as a site: every page is in it, and no link leads nowhere. Skipped without mkdocs.
. "$(dirname "$0")/../lib.sh"

command -v mkdocs > /dev/null || {
    echo "SKIPPED: no mkdocs is installed"
    exit 77
}
mkdocs build --strict -f "$source_folder/mkdocs.yml" -d "$PWD/site" > log 2>&1 || fail "the site is not built: $(grep -E 'WARNING|ERROR' log | head -n 5)"
for page in $(cd "$source_folder/docs" && find . -name '*.md' ! -name README.md); do
    [ -s "site/${page%.md}.html" ] || fail "$page is not in the site"
    grep -q "${page#./}\$" "$source_folder/mkdocs.yml" || fail "$page is not in the navigation of mkdocs.yml"
done
finish
