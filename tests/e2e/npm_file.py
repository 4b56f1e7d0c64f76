# SPDX-License-Identifier: MIT
"""npm_file.py PACKAGE VERSION MEMBER SHA256 FILE: takes one file out of a package of the npm registry.

For what only tests use: the schema of a format, a checker of pages. What is not byte by byte the file that was
chosen is refused. The registry is that of npm's own configuration, where npm is there. Exits with 77 if it cannot be
reached: then there is nothing to test with.
"""
import hashlib
import io
import shutil
import subprocess
import sys
import tarfile
import urllib.request


def registry():
    npm = shutil.which("npm")
    if npm:
        said = subprocess.run([npm, "config", "get", "registry"], capture_output=True, text=True, timeout=60)
        lines = said.stdout.split()
        if said.returncode == 0 and lines and lines[-1].startswith("http"):
            return lines[-1].rstrip("/")
    return "https://registry.npmjs.org"


def main():
    package, version, member, wanted, path = sys.argv[1:]
    address = f"{registry()}/{package}/-/{package.split('/')[-1]}-{version}.tgz"
    try:
        with urllib.request.urlopen(address, timeout=60) as answer:
            bytes_of_package = answer.read()
    except OSError as problem:
        print(f"{address}: {problem}")
        sys.exit(77)
    with tarfile.open(fileobj=io.BytesIO(bytes_of_package), mode="r:gz") as archive:
        content = archive.extractfile(f"package/{member}").read()
    if hashlib.sha256(content).hexdigest() != wanted:
        sys.exit(f"{address}: {member} is not the file that the test was written for")
    with open(path, "wb") as file:
        file.write(content)


if __name__ == "__main__":
    main()
