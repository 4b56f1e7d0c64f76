# SPDX-License-Identifier: MIT
"""formats.py KIND FILE: is the file what its format demands?

sarif   what SARIF 2.1.0 requires of the properties that seriatim writes. Where SARIF_SCHEMA names
        the schema and the module jsonschema is there, it is validated against that as well
junit   well-formed, and its counts are those of what it holds
chrome  events with the fields that Perfetto needs; flows begin and end
dot     balanced braces and strings
html    one page that loads nothing, with data that is JSON
Says nothing if it is; else what is wrong, and exits with 1.
"""
import html.parser
import json
import os
import re
import sys
import xml.etree.ElementTree as ElementTree


def need(condition, message):
    if not condition:
        raise SystemExit(message)


def check_location(location, within):
    physical = location.get("physicalLocation")
    need(physical or location.get("logicalLocations") or location.get("message"), f"empty location in {within}")
    if physical:
        uri = physical["artifactLocation"]["uri"]
        need(re.fullmatch(r"[A-Za-z0-9._~/:%-]+", uri), f"not a URI: {uri}")
        need(physical["region"]["startLine"] >= 1, "lines count from 1")
        need(physical["region"].get("startColumn", 1) >= 1, "columns count from 1")


def check_result(result, rules):
    need(rules[result["ruleIndex"]]["id"] == result["ruleId"], "ruleIndex does not fit ruleId")
    need(result["level"] in ("error", "warning", "note", "none"), "unknown level")
    need(result["message"]["text"], "a result without words")
    need(all(isinstance(value, str) for value in result["partialFingerprints"].values()), "wrong fingerprint")
    for location in result["locations"] + result.get("relatedLocations", []):
        check_location(location, result["ruleId"])
    for flow in result.get("codeFlows", []):
        orders = []
        for thread in flow["threadFlows"]:
            own = [step["executionOrder"] for step in thread["locations"]]
            need(own and own == sorted(own), "a thread's steps are out of order")
            orders += own
            for step in thread["locations"]:
                check_location(step["location"], "a thread flow")
                need(step["location"]["message"]["text"], "a step without words")
        need(sorted(orders) == list(range(1, len(orders) + 1)), "executionOrder does not number the steps")


def check_sarif(path):
    with open(path, encoding="utf-8") as file:
        log = json.load(file)
    need(log["version"] == "2.1.0" and len(log["runs"]) == 1, "not SARIF 2.1.0")
    driver = log["runs"][0]["tool"]["driver"]
    ids = [rule["id"] for rule in driver["rules"]]
    need(len(ids) == len(set(ids)), "rules with one id")
    for result in log["runs"][0]["results"]:
        check_result(result, driver["rules"])
    schema = os.environ.get("SARIF_SCHEMA")
    if schema:
        import jsonschema

        with open(schema, encoding="utf-8") as file:
            jsonschema.validate(log, json.load(file))


def check_junit(path):
    root = ElementTree.parse(path).getroot()
    need(root.tag == "testsuites", "no testsuites")
    for suite in [root, *root.iter("testsuite")]:
        for name, tag in (("tests", "testcase"), ("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
            need(int(suite.get(name)) == len(list(suite.iter(tag))), f"wrong number of {name}")


def check_chrome(path):
    with open(path, encoding="utf-8") as file:
        events = json.load(file)["traceEvents"]
    flows = {}
    for event in events:
        need(event["ph"] in ("X", "M", "s", "t", "f"), "unknown phase")
        need(isinstance(event["pid"], int) and isinstance(event["tid"], int), "no thread")
        if event["ph"] == "X":
            need(event["dur"] > 0 and event["ts"] >= 0 and event["name"], "wrong slice")
        if event["ph"] in "stf":
            flows[event["id"]] = flows.get(event["id"], "") + event["ph"]
    for flow in flows.values():
        need(re.fullmatch("st*f", flow), f"wrong flow: {flow}")


def check_dot(path):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    bare = re.sub(r'"(?:[^"\\]|\\.)*"', "S", text)
    need('"' not in bare and "<" not in bare, "a string is open")
    need(bare.count("{") == bare.count("}"), "a brace is open")
    for line in bare.splitlines():
        need(re.fullmatch(r"[\w\s={}\[\],;>.-]*", line), f"not DOT: {line}")


class Page(html.parser.HTMLParser):
    """Elements that would load something, and the texts of scripts."""

    def __init__(self):
        super().__init__()
        self.loads, self.scripts, self.script = [], {}, None

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        need(not any(name.startswith("on") for name in values), f"a handler in {tag}")
        if tag in ("link", "img", "iframe", "object", "embed") or "src" in values:
            self.loads.append(tag)
        need(values.get("href", "#").startswith("#"), "a link to elsewhere")
        if tag == "script":
            self.script = values.get("id", "script")

    def handle_endtag(self, tag):
        if tag == "script":
            self.script = None

    def handle_data(self, text):
        if self.script:
            self.scripts[self.script] = self.scripts.get(self.script, "") + text


def check_html(path):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    page = Page()
    page.feed(text)
    need(not page.loads, f"the page loads {page.loads}")
    need(sorted(page.scripts) == ["data", "script"], f"scripts: {sorted(page.scripts)}")
    data = json.loads(page.scripts["data"])
    for trace in data["traces"]:
        columns = [trace[name] for name in ("thread", "operation", "name", "site", "value", "writer", "block")]
        need(len({len(column) for column in columns}) == 1, "columns of different lengths")
    need("default-src 'none'" in text, "no content security policy")


if __name__ == "__main__":
    {"sarif": check_sarif, "junit": check_junit, "chrome": check_chrome, "dot": check_dot, "html": check_html}[sys.argv[1]](sys.argv[2])
