#!/bin/sh
# SPDX-License-Identifier: MIT
# The page in a browser: it draws, follows clicks and keys, shows only what is visible of a long
# trace, and takes names for text; a checker of accessibility finds nothing serious. Needs Chromium (Debian:
# chromium-headless-shell); without it the test is skipped.
. "$(dirname "$0")/../lib.sh"

[ "${INSTRUMENTED:-}" != ON ] || exit 77 # the browser is not ours
browser=$(command -v chromium-headless-shell || command -v chromium || command -v chromium-browser || command -v google-chrome) || {
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

# Printed, it has the interleaving as text, which is folded on the screen.
cat > print.js <<'END'
{
  const part = document.querySelector(".as-text"), result = document.createElement("pre");
  const states = [part.open];
  for (const name of ["beforeprint", "afterprint"]) {
    dispatchEvent(new Event(name));
    states.push(part.open);
  }
  result.id = "result";
  result.textContent = states.join() === "false,true,false" ? "done" : `FAILED: ${states}\ndone`;
  document.body.append(result);
}
END
drive bank.html print.js

# A run that failed is one panel, which ends where the run does.
cat > crash.c <<'END'
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct node { struct node *next; } first, second = {&first}, *head = &second;
static int is_empty(void)
{
    pthread_mutex_lock(&lock);
    int empty = !head;
    pthread_mutex_unlock(&lock);
    return empty;
}
static void pop(void)
{
    pthread_mutex_lock(&lock);
    head = head->next;
    pthread_mutex_unlock(&lock);
}
static void *work(void *unused)
{
    while (!is_empty())
        pop();
    return unused;
}
int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], 0, work, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], 0);
    return 0;
}
END
"$SERIATIM" cc -g -o crash crash.c -pthread || fail "the program was not built"
run explore -n 40 -o crash.out --report crash.html -- ./crash
expect_status 1
cat > crash.js <<'END'
{
  const said = [], sections = [...document.querySelectorAll(".finding")];
  const crashed = sections.find((section) => section.querySelector("h2").textContent.includes("Signal 11"));
  build(crashed);
  if (crashed.querySelectorAll(".scroller").length !== 1) said.push("FAILED: a failing run is one panel");
  if (!crashed.querySelector(".row.selected")?.textContent.includes("reads head = 0")) said.push(`FAILED: ${crashed.querySelector(".row.selected")?.textContent}`);
  const result = document.createElement("pre");
  result.id = "result";
  result.textContent = [...said, "done"].join("\n");
  document.body.append(result);
}
END
drive crash.html crash.js

# A checker of accessibility (axe), in both themes. Where the registry cannot be reached, this part is not looked at.
axe=20c09fe157a8a34a30e241aaa1fcdade657734f08ab379ecfbeb7d45cc46e878
if python3 "$here/npm_file.py" axe-core 4.14.0 axe.min.js $axe axe.js > said; then
    for theme in light dark; do
        for page in bank crash; do
            {
                echo "document.documentElement.dataset.theme = '$theme';"
                cat axe.js
                cat <<'END'
document.querySelectorAll(".finding").forEach(build);
axe.run(document).then((all) => {
  const bad = all.violations.filter((rule) => ["serious", "critical"].includes(rule.impact));
  const result = document.createElement("pre");
  result.id = "result";
  result.textContent = [...bad.map((rule) => `FAILED: ${rule.id}: ${rule.nodes[0].html}: ${rule.nodes[0].any[0]?.message}`),
    all.passes.length > 20 ? "done" : "FAILED: nothing was checked"].join("\n");
  document.body.append(result);
});
END
            } > axe-drive.js
            drive $page.html axe-drive.js
        done
    done
else
    [ $? = 77 ] || fail "the checker of accessibility: $(cat said)"
    echo "not looked at: accessibility ($(cat said))"
fi

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
