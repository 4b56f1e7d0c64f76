# SPDX-License-Identifier: MIT
# A short way to the common jobs. The build itself is CMake's (CMakeLists.txt,
# CMakePresets.json).

PREFIX  ?= /usr/local
DESTDIR ?=
JOBS    ?= $(shell nproc)
FUZZ_SECONDS ?= 5

.PHONY: all setup demo demo-java test test-long bench bench-tables bench-scale bench-symbolic bench-record docs install format lint coverage clean

# build/seriatim, the release build
all: setup
	@tools/build release $(JOBS)

# the packages that building and testing need
setup:
	@tools/setup

# a little bank is built, recorded, and shown to go wrong in an order that its run did not have
demo: all
	@tools/demo build/seriatim

# the same in Java, if there is a JDK
demo-java: all
	@tools/demo-java build/seriatim

# every test, with and without sanitizers, and a short run of the fuzzers
test:
	@tools/setup tests
	@tools/test-all $(JOBS) $(FUZZ_SECONDS)

# hours of random programs and traces that were not tried before
test-long: setup
	@tools/test-long

# speed and memory on generated traces
bench: all
	@bench/run build

# the tables of the papers on prediction; TRACES is a folder of further traces
bench-tables: all
	@bench/tables $(if $(TRACES),--traces $(TRACES)) build

# the table of the paper on symbolic prediction
bench-symbolic: all
	@bench/symbolic/run build

# prediction in windows on a generated trace; EVENTS says how long it is
bench-scale: all
	@bench/scale $(if $(EVENTS),--events $(EVENTS)) build

# what recording costs, on real programs built from Debian's sources, against -fsanitize=thread, and on
# kernels in Java against the plain virtual machine
bench-record: all
	@bench/record/run build
	@bench/record/java build

# the documentation as a site, build/site/index.html (needs mkdocs)
docs:
	@mkdocs build --quiet --strict && echo "build/site/index.html"

install: all
	@DESTDIR="$(DESTDIR)" cmake --install build --prefix "$(PREFIX)"

format:
	@tools/format --fix

lint: setup
	@tools/lint $(JOBS)

# which lines the tests reach, as text (build/coverage/coverage.txt)
coverage: setup
	@tools/coverage $(JOBS)

clean:
	rm -rf build
