#!/usr/bin/env bash
# comment.sh PULL_REQUEST FILE: comments FILE on the pull request. A comment that begins with the same line is replaced, so that each
# sweep has one.
set -euo pipefail
pull_request=$1 file=$2
comments=repos/$GITHUB_REPOSITORY/issues
mark=$(head -n 1 "$file")
id=$(MARK=$mark gh api "$comments/$pull_request/comments" --paginate --jq '.[] | select(.body | startswith(env.MARK)) | .id' | sed -n 1p)
if [ -n "$id" ]; then
    gh api --silent --method PATCH "$comments/comments/$id" --field "body=@$file"
else
    gh api --silent --method POST "$comments/$pull_request/comments" --field "body=@$file"
fi
