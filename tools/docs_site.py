# SPDX-License-Identifier: MIT
"""A hook of mkdocs: links to files that are not pages (sources, examples) become plain text."""
import re


def on_page_markdown(markdown, page, **_):
    up = "../../" if "/" in page.file.src_path else "../"
    return re.sub(rf"\[([^\]]+)\]\({re.escape(up)}[^)]*\)", r"\1", markdown)
