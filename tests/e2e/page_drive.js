// SPDX-License-Identifier: MIT
// What a reader does with a page of the bank, and what should then be there. Appended to the page by
// report_page_browser.sh; each line that fails is written to #result, and "done" at the end.
build(document.querySelector(".finding")); // it need not come into view first
{
  const said = [];
  const expect = (what, is, wanted) => {
    if (is !== wanted) said.push(`FAILED: ${what}: ${JSON.stringify(is)}, expected ${JSON.stringify(wanted)}`);
  };
  const press = (node, key) => node.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  const section = document.querySelector(".finding");
  const [recorded, violating] = section.querySelectorAll(".scroller");
  const selected = (panel) => panel.querySelector(".row.selected")?.textContent.trim() ?? null;
  const detail = (name) => [...section.querySelectorAll(".details dt")].find((node) => node.textContent === name)?.nextSibling.textContent;
  const current = () => section.querySelector(".source .current")?.textContent;
  try {
    expect("tiles", document.querySelector(".tile strong").textContent, "1");
    expect("the last step of the path is selected", selected(violating), "34 reads bob.balance = 150 180");
    expect("the same event in the recorded run", selected(recorded), "34 reads bob.balance = 180");
    expect("its value", detail("value"), "150");
    expect("its recorded value", detail("recorded run"), "180");
    expect("its writer", detail("written by"), "T2, event 49, bank.c:29");
    expect("its source", current(), "37    int balance = account->balance;");
    expect("arrows of the path", violating.querySelectorAll("path.conflict").length, 3);
    expect("arrow of the value", violating.querySelectorAll("path.source").length, 1);
    expect("no path in the recorded run", recorded.querySelectorAll("path.conflict").length, 0);

    press(violating, "p");
    expect("back along the path", selected(violating), "49 writes bob.balance = 150");
    expect("the source follows", current(), "29    to->balance += amount;");
    press(violating, "ArrowUp");
    expect("one step up", selected(violating), "48 reads bob.balance = 180");
    press(violating, "Home");
    expect("the first step", violating.querySelector(".row").getAttribute("aria-selected"), "true");
    press(violating, "n");
    expect("from elsewhere to the path's begin", selected(violating), "29 reads alice.balance = 20");
    expect("what a screen reader is at", violating.querySelector(".row.selected").id, violating.getAttribute("aria-activedescendant"));
    press(violating, "ArrowLeft");
    expect("the other run has the focus", document.activeElement, recorded);

    const begin = [...recorded.querySelectorAll(".row")].find((row) => row.textContent.includes("begins total"));
    begin.click();
    expect("a click selects", selected(violating), "26 begins total");
    const filter = section.querySelector("select");
    filter.value = "path";
    filter.dispatchEvent(new Event("change"));
    expect("only the path", violating.querySelectorAll(".row").length, 4);
    filter.value = "all";
    filter.dispatchEvent(new Event("change"));
    expect("all threads have lanes", violating.querySelectorAll(".head .lane").length, 3);
    const search = section.querySelector("input[type=search]");
    search.value = "alice.balance = 50";
    search.dispatchEvent(new Event("input"));
    expect("what was searched", violating.querySelector(".row").textContent.trim(), "47 writes alice.balance = 50");
    expect("nothing else", violating.querySelectorAll(".row").length, 1);

    const theme = document.querySelector(".tools button"), before = getComputedStyle(document.body).backgroundColor;
    theme.click();
    expect("another theme", getComputedStyle(document.body).backgroundColor !== before, true);
    expect("nothing was injected", window.injected, undefined);
  } catch (error) {
    said.push(`FAILED: ${error.stack}`);
  }
  const result = document.createElement("pre");
  result.id = "result";
  result.textContent = [...said, "done"].join("\n");
  document.body.append(result);
}
