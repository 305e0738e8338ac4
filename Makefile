.DEFAULT_GOAL := help
SHELL := /bin/bash
GO ?= go
STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.2
FUZZTIME ?= 30s

.PHONY: help
help: ## list the targets
	@awk -F':.*## ' '/^[a-z-]+:.*## / {printf "%-11s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.PHONY: build
build: bin/mcp-replay ## build the command into bin/

.PHONY: bin/mcp-replay
bin/mcp-replay:
	CGO_ENABLED=0 $(GO) build -trimpath -o $@ ./cmd/mcp-replay

.PHONY: demo
demo: bin/mcp-replay ## the whole loop on the built-in demo server: record, show, replay, verify
	bin/mcp-replay demo

.PHONY: test
test: ## every test and every scenario; needs Go alone
	$(GO) test ./...

.PHONY: race
race: ## the same under the race detector
	$(GO) test -race ./...

.PHONY: lint
lint: ## gofmt, vet for linux, darwin and windows, staticcheck
	@test -z "$$(gofmt -l $$(git ls-files '*.go'))" || { gofmt -l $$(git ls-files '*.go'); exit 1; }
	$(GO) vet ./...
	GOOS=darwin $(GO) vet ./...
	GOOS=windows $(GO) vet ./...
	$(GO) run $(STATICCHECK) ./...

.PHONY: steps
steps: bin/mcp-replay ## print the step vocabulary
	bin/mcp-replay test --steps

.PHONY: interop
interop: ## install the pinned real servers and run the specs live against them
	interop/run

.PHONY: record
record: ## record the cassettes of the pinned real servers anew
	interop/record

.PHONY: bench
bench: ## measure against the floor and the peers, interleaved in one run
	cd bench && $(GO) run .

.PHONY: bench-large
bench-large: ## the same with a gigabyte: recorded, played, shown, verified; takes minutes and 2.5 GB of disk
	cd bench && $(GO) run . traffic cassette

.PHONY: fuzz
fuzz: ## run each fuzz target for FUZZTIME (30s)
	@for pkg in $$($(GO) list ./...); do \
	  for target in $$($(GO) test -list '^Fuzz' $$pkg | grep '^Fuzz' || true); do \
	    echo "$$pkg $$target"; \
	    $(GO) test -run '^$$' -fuzz "^$$target$$" -fuzztime $(FUZZTIME) $$pkg || exit 1; \
	  done; \
	done
