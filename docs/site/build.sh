#!/usr/bin/env bash
# Makes out/site: the pages of the repository as a site, with the reference of the command line and of the Python package. Needs python3; what
# requirements.txt lists is fetched the first time. CAPVEC names the program whose help texts become the reference.
set -euo pipefail
cd "$(dirname "$0")/../.."
capvec=${CAPVEC:-target/release/capvec}
tools=target/site-tools
pages=target/site-pages
if ! cmp -s docs/site/requirements.txt $tools/requirements.txt; then
    python3 -m venv --clear $tools
    $tools/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r docs/site/requirements.txt
    cp docs/site/requirements.txt $tools/
fi
# The site has the repository's own tree, so that links in pages are right in both.
rm -rf $pages
mkdir -p $pages/reference
git ls-files -z '*.md' 'docs/*.svg' 'docs/*.png' 'docs/*.json' 'rtl/*.svg' 'records/*.json' docs/site/wide.css examples actions |
    xargs -0 cp --parents -t $pages
# A link to a folder leads to its list of pages.
printf '# Records\n\nFigures that were kept, with the command, the versions and the machine that produced them.\n\n' > $pages/records/README.md
for page in records/*.md; do
    printf -- '- [%s](%s)\n' "$(sed -n 's/^# //p;/^# /q' "$page")" "${page#records/}"
done >> $pages/records/README.md
sed -i -E 's#\]\((\.\./)*(records|docs/decisions|decisions)/?\)#](\1\2/README.md)#g' $pages/*.md $pages/docs/*.md
commands() { "$capvec" "$@" --help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\)  .*/\1/p' | grep -v '^help$' || true; }
section() {
    printf '## capvec %s\n\n```text\n' "$*"
    "$capvec" "$@" --help
    printf '```\n\n'
}
{
    printf '# The command line\n\nThe help texts of every sub-command.\n\n'
    for command in $(commands); do
        section "$command"
        for sub in $(commands "$command"); do section "$command" "$sub"; done
    done
} > $pages/reference/cli.md
# With --quiet, --strict would not fail for dead links.
NO_MKDOCS_2_WARNING=1 DISABLE_MKDOCS_2_WARNING=true $tools/bin/mkdocs build --strict -f docs/site/mkdocs.yml
echo "out/site/index.html"
