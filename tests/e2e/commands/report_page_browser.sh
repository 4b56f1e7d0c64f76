#!/bin/sh
# SPDX-License-Identifier: MIT
# The page in a browser: it draws, follows clicks and keys, shows only what is visible of a long
# trace, and takes names for text. Needs Chromium (Debian: chromium); without it the test is skipped.
. "$(dirname "$0")/../lib.sh"

browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || {
    echo "SKIPPED: no Chromium is installed, so nobody has looked at the page"
    exit 77
}
[ -f "$BUILD/libseriatim-rt.so" ] || exit 77

# drive PAGE SCRIPT: the page after the script has run, into the file dom.
drive() {
    { cat "$1"; echo '<script>'; cat "$2"; echo '</script>'; } > driven.html
    timeout 120 "$browser" --headless --no-sandbox --disable-gpu --window-size=1400,1200 --user-data-dir="$PWD/profile" \
        --virtual-time-budget=5000 --dump-dom "file://$PWD/driven.html" > dom 2> browser.err
    sed -n '/<pre id="result">/,/<\/pre>/p' dom | sed 's/.*<pre id="result">//; s/<\/pre>.*//' > result
    grep -q '^done$' result || fail "the script did not end: $(tail -n 3 browser.err)"
    ! grep FAILED result || fail "the page does something else"
}

cp "$source_folder/examples/bank/wrong.c" bank.c
"$SERIATIM" cc -g -o bank bank.c -pthread || fail "the program was not built"
run run --effort quick --report bank.html -- ./bank
expect_status 1
drive bank.html "$here/page_drive.js"

# A hundred thousand events: few rows in the page.
awk 'BEGIN {
    print "main|fork(T1)|big.c:1"; print "main|fork(T2)|big.c:2"
    for (i = 0; i < 50000; i++) { t = "T" i % 2 + 1; print t "|r(p" t ")|big.c:3|value=1"; print t "|w(p" t ")|big.c:4|value=1"
        if (i == 25000) { print "T1|begin(b)|big.c:5"; print "T1|r(x)|big.c:6|value=0"; print "T1|r(y)|big.c:7|value=0"; print "T1|end(b)|big.c:8"
            print "T2|w(x)|big.c:9|value=5"; print "T2|w(y)|big.c:10|value=7" } }
}' > big.std
run report big.std --atomic markers -o big.html
expect_status 1
cat > big.js <<'END'
build(document.querySelector(".finding"));
{
  const rows = document.querySelectorAll(".row").length, said = [];
  if (rows < 10 || rows > 300) said.push(`FAILED: ${rows} rows in the page`);
  if (!/100,008 steps/.test(document.querySelector(".count").textContent)) said.push(`FAILED: ${document.querySelector(".count").textContent}`);
  const filter = document.querySelector("select"), panel = document.querySelector(".scroller");
  filter.value = "all";
  filter.dispatchEvent(new Event("change"));
  panel.dispatchEvent(new KeyboardEvent("keydown", { key: "End" }));
  if (!document.querySelector(".row.selected")?.textContent.includes("100008")) said.push("FAILED: the last step is not reached");
  const result = document.createElement("pre");
  result.id = "result";
  result.textContent = [...said, "done"].join("\n");
  document.body.append(result);
}
END
drive big.html big.js

# Names that would be script.
{
    echo 'T1|begin(</script><script>window.injected=1</script>)|f.c:1'
    echo 'T1|r(<img src=x onerror=window.injected=1>)|<b>bold</b>.c:2|value=1'
    echo 'T2|w(<img src=x onerror=window.injected=1>)|"><script>window.injected=1</script>.c:3|value=2'
    echo 'T1|w(<img src=x onerror=window.injected=1>)|f.c:4|value=3'
    echo 'T1|end(</script><script>window.injected=1</script>)|f.c:5'
} > names.std
run report names.std -o names.html
expect_status 1
cat > names.js <<'END'
build(document.querySelector(".finding"));
{
  const said = [];
  if (window.injected || document.querySelector("img, b")) said.push("FAILED: a name was run");
  if (!document.querySelector(".row .step").textContent.includes("<\/script>")) said.push("FAILED: the name is not shown");
  const result = document.createElement("pre");
  result.id = "result";
  result.textContent = [...said, "done"].join("\n");
  document.body.append(result);
}
END
drive names.html names.js
finish
