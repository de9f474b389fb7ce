# make run     install what is missing, build, show a scored example, start the server with a simulated match
# make test    everything that is tested, the pages in a real browser included
# make build   bin/crokcam
# make bench   how fast a picture is scored, a shot is judged and simulated, an event is kept and told
# make lint    style, mistakes, known vulnerabilities

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := build

VERSION := $(shell git describe --tags --always --dirty 2>/dev/null || echo development)

# Of OpenCV's many libraries only those that are called get linked: a program
# that starts in half the time. It takes lld; any other linker links all of
# them, and works as well.
LINK := -X main.version=$(VERSION)
ifneq ($(shell command -v ld.lld),)
LINK += -extldflags '-fuse-ld=lld -Wl,--gc-sections -Wl,--as-needed'
endif

.PHONY: build run test bench lint setup clean

build: setup
	go build -ldflags "$(LINK)" -o bin/crokcam ./cmd/crokcam

run: build
	bin/crokcam score api/web/example.jpg
	bin/crokcam serve --demo

test: setup
	go vet ./...
	go test ./...
	scripts/leaktest

bench: build
	bin/crokcam bench photo
	bin/crokcam bench frame
	bin/crokcam bench frame --streams 4
	bin/crokcam bench judge
	bin/crokcam bench store .
	bin/crokcam bench events
	bin/crokcam bench physics
	go test -run - -bench Frames -benchtime 1x ./sim/render/show
	@# Beside the stepping engine Chipmunk, where Debian's chipmunk-dev is installed.
	@if [[ -e /usr/include/chipmunk/chipmunk.h ]]; then \
	  go test -tags chipmunk -run - -bench Chipmunk -benchtime 1x ./sim; \
	else echo 'not measured beside Chipmunk: that takes chipmunk-dev'; fi

lint: setup
	scripts/lint

setup:
	@scripts/setup

clean:
	rm -rf bin .cache
