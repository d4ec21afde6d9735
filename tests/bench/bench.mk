# bench.mk - what measures speed and size. A part of the Makefile.
# SPDX-License-Identifier: MIT
#
#   make bench              speed and size of generated code and of other libraries; how long 100,000 lines of schema
#                           take
#   make bench-instructions instructions per message, counted by callgrind; MESSAGE=Ship counts one message only. And those for
#                           a list with a key beside an array
#   make bench-msvc         small packets as MSVC sees them, compared with MinGW, with wine
#   make builds             what generated code costs a build: seconds and memory of compilers, bytes; make bench
#                           prints it too
#   make cubes              sends a recorded simulation as snapshots, in fewer bits step by step
#   make match              sends recorded matches of OpenArena, from its Debian packages: bytes, memory and instructions a
#                           snapshot, beside the game's own bytes. make deps match installs the packages, and valgrind;
#                           OPENARENA=DIR is another folder with the game's archives
#   make bench-wireshark    how much of tshark's time the dissector of the example takes for a recording of it; or that of
#                           SCHEMA for RECORDING, with the options LISTS
#   make pictures           draws pictures of docs/images: from what pktc and make cubes print, from tests/match/results.txt,
#                           of neovim, and of the page in chromium. It needs nvim, tmux, chromium, and what make web
#                           needs

.PHONY: bench match bench-instructions bench-msvc bench-wireshark builds cubes cubes-models pictures

# The goal example plays one.
RECORDING := $(B)/example/match.pcapng
SCHEMA := schemas/example/arena.pkt
bench-wireshark: $(B)/pktc $(EXAMPLE_PROGRAMS)
	@[ $(RECORDING) != $(B)/example/match.pcapng ] || schemas/example/run.sh $(B)/example 5 >$(B)/example/played
	@PKTC=$(B)/pktc tests/bench/wireshark.sh $(RECORDING) $(SCHEMA) $(B)/bench/wireshark $(LISTS)

# ---- cubes: -ffp-contract=off, because both sides have to predict the same floats

$(B)/cubes/trace: tests/data/cubes-901.trace.xz | $(B)/have-test-tools
	@mkdir -p $(@D)
	$(call say,XZ)xz -dc $< > $@

$(B)/cubes/cubes: tests/bench/cubes.c tests/bench/cubes_predict.h tests/bench/trace.h schemas/cubes.pkt $(B)/pktc
	@rm -rf $(@D)/generated
	$(call say,LD)$(B)/pktc -o $(@D)/generated schemas/cubes.pkt && \
	    $(CC) -std=c99 -ffp-contract=off $(WARNINGS) $(CFLAGS) -I$(@D)/generated -o $@ $< $(@D)/generated/*.c

$(B)/cubes/trace2: tests/data/cubes-901-2.trace.xz | $(B)/have-test-tools
	@mkdir -p $(@D)
	$(call say,XZ)xz -dc $< > $@

# Each of the two is for one trace, and has the model of the other one. `make cubes-models` trains both.
$(B)/cubes/trained1: CUBES_MODEL := tests/bench/trained.model
$(B)/cubes/trained2: CUBES_MODEL := tests/bench/trained-first.model
$(B)/cubes/trained1 $(B)/cubes/trained2: tests/bench/trained.c tests/bench/trace.h tests/bench/trained.pkt \
                                        $(wildcard tests/bench/*.model) $(B)/pktc
	@rm -rf $@-generated && mkdir -p $@-generated
	@cp tests/bench/trained.pkt $@-generated && cp $(CUBES_MODEL) $@-generated/trained.model
	$(call say,LD)$(B)/pktc -o $@-generated $@-generated/trained.pkt && \
	    $(CC) -std=c99 $(WARNINGS) $(CFLAGS) -I$@-generated -o $@ $< $@-generated/*.c

TRAINED := $(B)/cubes/trained1 $(B)/cubes/trained2 $(B)/cubes/trace $(B)/cubes/trace2

cubes: $(B)/cubes/cubes $(TRAINED)
	@$< $(B)/cubes/trace
	@$(B)/cubes/trained1 $(B)/cubes/trace 190 'coded by a model'
	@$(B)/cubes/trained2 $(B)/cubes/trace2 232 'the busier recording'

cubes-models: $(TRAINED)
	@$(B)/cubes/trained1 $(B)/cubes/trace - $(B)/cubes/recording1
	@$(B)/cubes/trained2 $(B)/cubes/trace2 - $(B)/cubes/recording2
	@$(B)/pktc train tests/bench/trained.pkt State $(B)/cubes/recording1 > tests/bench/trained-first.model
	@$(B)/pktc train tests/bench/trained.pkt State $(B)/cubes/recording2 > tests/bench/trained.model

# The data of the packages has another licence than pktc, so none of it is here.
OPENARENA ?= /usr/share/games/openarena/baseoa
match: $(B)/pktc
	@PKTC=$(B)/pktc BUILD=$(B)/match CC="$(CC)" OPENARENA=$(OPENARENA) tests/match/match.sh

# The rest of docs/images is photographed: see docs/hacking.md.
pictures: $(B)/cubes/cubes $(B)/cubes/trained1 $(B)/cubes/trace $(B)/pktc web
	@PKTC=$(B)/pktc tests/pictures.sh bits $(B)/pictures > docs/images/bits.svg
	@$< $(B)/cubes/trace > $(B)/cubes/printed
	@$(B)/cubes/trained1 $(B)/cubes/trace 190 'coded by a model' >> $(B)/cubes/printed
	@tests/pictures.sh cubes $(B)/cubes/printed > docs/images/cubes.svg
	@tests/pictures.sh match tests/match/results.txt > docs/images/match.svg
	@PKTC=$(B)/pktc tests/pictures.sh editor $(B)/pictures/editor > docs/images/editor.svg
	@for color in light dark; do \
	    PKTC=$(B)/pktc tests/pictures.sh page $(B)/web $(B)/pictures/page $$color docs/images/page-$$color.png || exit 1; done

# ---- speed, and what builds cost

$(B)/gen_large $(B)/cost: $(B)/%: tests/bench/%.c
	@mkdir -p $(@D)
	$(call say,LD)$(CC) $(TEST_FLAGS) $(CFLAGS) -o $@ $<

BENCH := PKTC=$(B)/pktc BUILD=$(B)/bench tests/bench/run.sh
BUILDS := PKTC=$(B)/pktc BUILD=$(B)/builds CC="$(CC)" tests/bench/builds.sh && echo && \
          PKTC=$(B)/pktc BUILD=$(B)/families tests/bench/families.sh
bench: $(B)/pktc $(B)/gen_large $(B)/cost
	@$(BENCH) time $(MESSAGE)
	@$(B)/gen_large > $(B)/large.pkt
	@printf '\npktc, seconds and MB: %s %s\n' "$$(wc -l $(B)/large.pkt)" "$$($(B)/cost $(B)/pktc -o $(B)/large $(B)/large.pkt)"
	$(if $(MESSAGE),,@$(BUILDS))

builds: $(B)/pktc
	@$(BUILDS)

bench-instructions: $(B)/pktc
	@$(BENCH) instructions $(MESSAGE)
	$(if $(MESSAGE),,@echo && PKTC=$(B)/pktc BUILD=$(B)/bench-lists CC="$(CC)" tests/bench/lists.sh)

bench-msvc: $(B)/pktc
	@PKTC=$(B)/pktc tests/bench/msvc.sh $(B)/bench-msvc
