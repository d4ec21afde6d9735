# tests.mk - the tests. A part of the Makefile.
# SPDX-License-Identifier: MIT
#
#   make check              the quick tests, in seconds: unit tests, diagnostics, golden output, the command line, the
#                           codec, and style (arrows between rooms, format); the last line is the total
#   make check-NAME         one of them: arrows, format, errors, golden, codec, cli, tools, names, num, parse, lanes ...
#   make test               all tests, in minutes
#   make test-NAME          one that only make test runs: mygame, delta, everything, differential, generated-gcc,
#                           faults, cmake, without (pktc without each of its workshops) ...
#   make test-patched       pktc with a made-up type and a made-up attribute (tests/patches) passes make check
#   make vectors [FILE=...] generated code and the codec against known bytes in FILE; by default, those in tests/data
#   make differential [SCHEMAS=2000 CASES=5000 SEED=1 FIRST=0 SHARE=40 ENGINE=tcc]
#                           generated code against the codec, with random schemas, values and bytes
#   make dissect [SCHEMAS=2000 SEED=1]
#                           what tshark shows with the Lua of `pktc wireshark` against the codec, with random schemas
#   make together [CASES=5000 SEED=1]
#                           the same for the schemas of tests/fuzz/together, which have what random ones never have,
#                           and random next releases of them
#   make held [HELD=26000 HELD_SCHEMAS=24 SEED=1]
#                           packets with parts over a bad network, with lists, start values and @fit: the client has the server's values,
#                           or refuses. A million datagrams
#   make test-upgrade-random test-upgrade-serve-random [PAIRS=50 SEED=1]
#                           random schemas with random next releases: what is read of the older one, and written for it
#   make cross              generated code on other processors: s390x, aarch64, i386, this one with all its
#                           instructions, Windows, MSVC, wasm, Cortex-M: vectors, rounding, reads of random schemas;
#                           make test runs s390x, this processor and a sample of MSVC
#   make msvc-random [SCHEMAS=2000 SEED=1 FIRST=0]
#                           the C of random schemas compiles without a warning with clang in place of MSVC
#   make test AGAIN=1       runs also what has passed with the same content: tests/report; TRACE=1 checks, with strace, that each
#                           test opens only what it is said to read
#   make generated          gcc optimizes all generated C and warns of nothing; make test optimizes a fourth of it each day
#   make windows-kit        what tests/cross/msvc/cl.sh needs to check generated code with MSVC itself, on Windows
#   make pairs [SCHEMAS=2000 SEED=1]
#                           counts which constructs the schemas of make differential have together
#   make fuzz [TIME=60 TARGET=lsp]
#                           libFuzzer, TIME seconds each, on the readers of mygame, cubes, all and seven small schemas,
#                           on all functions with any structs, and on pktc itself, its language server and recordings
#   make fuzz-refresh       adds the new inputs that it found, if up to 96 bytes long, to those that make test uses
#   make lsp-edits [EDITS=10000 SEED=1]
#                           random edits of open schemas in pktc's language server, with sanitizers; and ten times as many
#                           without, whose memory it prints
#   make ranges [RANGES=10000 SEED=1]
#                           reads and writes all codes of quantized numbers near the limits; takes ten minutes
#   make bare [BARE="debian meson"]
#                           from a bare Debian machine to the first packet with each package, or with some: the seconds,
#                           and the megabytes that they install. Needs root, debootstrap, and the network
#   make msan               vectors and round trips with clang's memory sanitizer: nothing depends on memory that was
#                           never set; make test runs a sample of this and of the next
#   make valgrind [SEED=1]  the same for the vectors, random schemas, `pktc encode` and `decode`, with valgrind
#   make prove [PROVE_TIME=600]
#                           proves with Frama-C that generated readers and writers have no undefined behaviour, whatever
#                           the bytes. Takes many hours; PROVE_TIME begins no proof after so many seconds. The next run
#                           goes on, and repeats only proofs of code that has changed: build/prove/proved has the others
#   make prove-roundtrips [PROVE_TIME=600]
#                           proves that packets of mygame arrive as they were sent, and pack to the bytes that they came from;
#                           PROVE_TIME and the next run as in make prove. Takes about half an hour
#   make mutate [SAMPLE=100 SEED=1 MUTATED="runtime generated wire" LEDGER=file]
#                           makes small mistakes in the runtime, in generated code and in pktc, each of which a test has
#                           to notice; SAMPLE=0: all of them. MUTATED may also have other rooms of the compiler, such as
#                           diff, and files: runtime/pkt_fit.c compiler/workshops/recordings/training.c
#   make load [SECONDS=3600]
#                           the example with 64 clients and more that come and go, 10 % loss, and the address sanitizer:
#                           memory, hashes, and that no client is left behind
#   make soak HOURS=4 SEED=90210
#                           all of these in turn, with other seeds each time; `make soak` again goes on. What is found
#                           is kept in build/soak/found
#   make sentences [SEED=1 NUMBER=100]
#                           prints random sentences of the docs: a reader without context marks which want a rewrite
#   make format             formats the C files with clang-format
#   make errors-refresh     rewrites the expected diagnostics of tests/check/errors and tests/front/errors
#   make golden-refresh     rewrites the expected output of tests/emit/golden
#   make tools-refresh      rewrites the expected output of tests/commands
#   make codec-refresh      rewrites the expected output of tests/codec
#   make diff-refresh       rewrites the expected output of tests/diff
#   make tables-refresh [SEED=1]
#                           compares the tables of 200 random schemas, and of all in the repository, with what decode prints; and
#                           rewrites the answers in docs/tables.md
#   make docs-refresh       rewrites the output of pktc, the lists of files, and what the tables of commands and options
#                           say in docs and in the manual page

# Some tests read recordings with libpcap too. Tables of tests leave out their last columns.
PCAP := $(call has,pcap.h)
TEST_FLAGS := -std=c11 -D_POSIX_C_SOURCE=200809L $(RECORD_FLAGS) $(PCAP:yes=-DHAS_PCAP) -Wall -Wextra -Wno-missing-field-initializers -Wshadow \
              -Wstrict-prototypes -Werror=switch -Werror=implicit-function-declaration -Werror=incompatible-pointer-types $(INCLUDES)

.PHONY: check test bare vectors msan valgrind differential held dissect together fuzz fuzz-refresh cross generated msvc-random windows-kit ranges lsp-edits pairs load prove prove-roundtrips mutate soak format errors-refresh golden-refresh \
        tools-refresh codec-refresh diff-refresh docs-refresh tables-refresh sentences

# Checked once in each build directory.
$(B)/have-test-tools: .ci/need
	@mkdir -p $(B)
	@$(need) $(TEST_TOOLS)
	@touch $@

# ---- which tests there are: drivers, which use process.h, run programs; unit tests call functions

TEST_FILES := $(wildcard tests/*/test_*.c)
DRIVERS := $(patsubst tests/%.c,%,$(shell grep -lE '"(commands/)?(process|cli|record|sent)\.h"' $(TEST_FILES)))
SANITIZED := $(patsubst tests/%.c,%,$(shell grep -l PKTC_SANITIZED $(TEST_FILES)))
ROUND_TRIPS := $(patsubst tests/%.c,%,$(wildcard tests/roundtrip/test_*.c))
UNIT_TESTS := $(filter-out $(DRIVERS) $(ROUND_TRIPS),$(TEST_FILES:tests/%.c=%))
VECTOR_FILES := tests/data/vectors.txt $(wildcard tests/data/*.jsonl)
VECTOR_NAMES := $(notdir $(VECTOR_FILES))
EXAMPLES := $(wildcard schemas/*.pkt tests/roundtrip/*.pkt)

PACKAGING := cmake web dist example packages deps install sections sizes recipes completion cplusplus bound windows hosts transports engines bindings bindings-ts bindings-godot fleet
UPGRADES := upgrade-pairs upgrade-serve upgrade-random upgrade-serve-random upgrade-served upgrade-releases upgrade-mygame upgrade-all upgrade-hooks
GENERATED := generated-gcc generated-clang generated-analyzer generated-programs
SLOW_DRIVERS := commands/test_archive commands/test_faults commands/test_hostile commands/test_targets emit/test_compile diff/test_diff \
                scale/test_scale
# Its commands, by the workshops that they need.
SCALES := scale-core scale-editor scale-recordings scale-releases
# QUICK takes seconds. LONG takes minutes, because generated code is compiled and run. The longest tests come first,
# so that none of them runs alone at the end. Those in san/ have sanitizers: the unit tests, and the pktc of the drivers
# that ask for it. make check runs them without.
QUICK := arrows tree-sitter one-file format docs searchable commented soak patches passed proofs roundtrips generated-golden \
         $(filter-out $(SLOW_DRIVERS),$(DRIVERS)) $(UNIT_TESTS)
LONG := $(GENERATED) without parts constructs $(VECTOR_NAMES:%=vectors/%) everything mygame cross flags msvc msvc-random address differential differential-today tables combinations held held-given held-started nested attributes predicted started few-values dissect dissect-today $(ROUND_TRIPS) \
        $(PACKAGING) $(UPGRADES) fuzzers fuzzers-releases fuzzed-pktc memory memory-releases warnings cubes advice debugger families lsp-clients unset \
        $(SCALES) $(filter-out $(SANITIZED) scale/%,$(SLOW_DRIVERS)) $(SANITIZED:%=san/%) $(UNIT_TESTS:%=san/%)
CHECKED := $(QUICK:%=$(B)/log/%.log)
TESTED := $(patsubst %,$(B)/log/%.log,$(filter-out $(SANITIZED) $(UNIT_TESTS),$(QUICK)) $(LONG))
# make -n runs recipes that name $(MAKE): then they run nothing.
DRY = $(findstring n,$(filter-out --%,$(firstword -$(MAKEFLAGS))))
# A test reads its prerequisites, and READS; tests/report does not run it again if it passed with the same. A target `stamp` is a
# checksum of what stands beside it.
GIVEN = $(filter-out AGAIN=% TRACE=% V=%,$(MAKEOVERRIDES))
RUN = $(if $(DRY),:,BUILD=$(B) CC="$(CC)" AGAIN=$(AGAIN) TRACE=$(TRACE) GIVEN='$(GIVEN)' \
      READS="$(sort $^ $(READS))" tests/report run)
# PKTC, PKTC WITH SANITIZERS, DIRECTORY.
driver_paths = PKTC=$1 PKTC_SANITIZED=$2 SCRATCH=$3 GOLDEN=$(B)/golden
DRIVER_PATHS := $(call driver_paths,$(B)/pktc,$(B)/pktc,$(B)/scratch)

PROGRAMS := $(UNIT_TESTS:%=$(B)/log/%.log) $(ROUND_TRIPS:%=$(B)/log/%.log)
include tests/reads.mk

$(B)/test/%.o: tests/%.c | $(B)/made/grammar.h $(B)/have-test-tools
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(TEST_FLAGS) $(CFLAGS) -MMD -MP -c -o $@ $<

$(B)/san/test/%.o: tests/%.c | $(B)/made/grammar.h $(B)/have-test-tools
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(TEST_FLAGS) $(SANITIZE) -MMD -MP -c -o $@ $<

# A test of the core is not linked again after a change of a workshop.
CORE_TESTS := $(filter base/% check/% emit/% model/% runtime/%,$(UNIT_TESTS)) $(filter-out codec/test_item_names codec/test_lists,$(DRIVERS))
OTHER_TESTS := $(filter-out $(CORE_TESTS),$(UNIT_TESTS) $(DRIVERS))
$(CORE_TESTS:%=$(B)/test/%): $(B)/obj/libcore.a
$(CORE_TESTS:%=$(B)/san/test/%): $(B)/san/libcore.a
$(OTHER_TESTS:%=$(B)/test/%): $(B)/obj/libpktc.a
$(OTHER_TESTS:%=$(B)/san/test/%): $(B)/san/libpktc.a

$(UNIT_TESTS:%=$(B)/test/%): $(B)/test/%: $(B)/test/%.o
	$(call say,LD)$(CC) $(CFLAGS) -pthread -o $@ $^ -lcmocka -ljansson -lm $(RECORD_LIBRARIES) $(PCAP:yes=-lpcap)

$(UNIT_TESTS:%=$(B)/san/test/%): $(B)/san/test/%: $(B)/san/test/%.o
	$(call say,LD)$(CC) $(SANITIZE) -pthread -o $@ $^ -lcmocka -ljansson -lm $(RECORD_LIBRARIES) $(PCAP:yes=-lpcap)

$(B)/test/match/test_demo: $(B)/test/match/demo.o $(B)/test/match/demo_code.o
$(B)/san/test/match/test_demo: $(B)/san/test/match/demo.o $(B)/san/test/match/demo_code.o
$(B)/test/scale/test_scale: $(B)/test/scale/families.o $(B)/test/scale/inputs.o
$(DRIVERS:%=$(B)/test/%): $(B)/test/%: $(B)/test/%.o $(B)/test/process.o
	$(call say,LD)$(CC) $(CFLAGS) -o $@ $^ -lcmocka -ljansson -lm $(RECORD_LIBRARIES)

# The example schemas and those of the round trips as C, with the runtime that pktc writes: what a user's program
# compiles, and in tables.inc the names of code tables. Of the headers of round trips, it includes one; the others are here
# because the tests are made again after this.
$(B)/schemas/stamp: $(PKTC_CORE) $(EXAMPLES) $(wildcard tests/roundtrip/*.h)
	@rm -rf $(@D) && mkdir -p $(@D)
	@cp tests/roundtrip/mathlib.h $(@D)
	$(call say,PKTC)$< --reflect -o $(@D) $(EXAMPLES)
	@sed -n 's/^const pkt_codes \(.*\)\[\(.*\)\] = {/TABLES(\1, \2)/p' $(@D)/all.c $(@D)/coded.c >$(@D)/tables.inc
	@cat $(@D)/*.* | cksum >$@

# All that pktc writes for the schemas of tests/emit/golden, a directory for each.
$(B)/golden/stamp: $(B)/test/emit/test_golden $(B)/pktc $(wildcard tests/emit/golden/*.pkt tests/emit/releases/*/*.pkt)
	@rm -rf $(@D) && mkdir -p $(@D)
	$(call say,PKTC)$(DRIVER_PATHS) $< --all $(@D)
	@find $(@D) -type f | sort | xargs cat | cksum >$@

# Compiled once for all round trips, with sanitizers. all.pkt, which has every construct, would take most of a minute with
# them.
EXAMPLE_NAMES := $(basename $(notdir $(EXAMPLES)))
EXAMPLE_OBJECTS := $(patsubst %,$(B)/schemas/%.o,$(EXAMPLE_NAMES) $(EXAMPLE_NAMES:%=%_reflect) pkt)
EXAMPLE_SANITIZE = $(SANITIZE)
$(B)/schemas/all.o: EXAMPLE_SANITIZE = -O0
$(EXAMPLE_OBJECTS): $(B)/schemas/stamp
	$(call say,CC)$(CC) -std=c99 -Wall -Wextra $(EXAMPLE_SANITIZE) -c -o $@ $(@:.o=.c)

$(B)/schemas/libschemas.a: $(EXAMPLE_OBJECTS)
	@rm -f $@
	$(call say,AR)$(AR) rcs $@ $^

$(ROUND_TRIPS:%=$(B)/test/%): $(B)/test/%: tests/%.c $(B)/schemas/libschemas.a | $(B)/have-test-tools
	@mkdir -p $(@D)
	$(call say,LD)$(CC) -std=c11 -D_POSIX_C_SOURCE=200809L -Wall -Wextra -Itests -I$(B)/schemas $(SANITIZE) -o $@ $^ -lcmocka -lm

$(B)/vectors: $(patsubst tests/%.c,$(B)/test/%.o,$(wildcard tests/interop/*.c) tests/fuzz/glue.c) $(B)/obj/libpktc.a
	$(call say,LD)$(CC) $(CFLAGS) -o $@ $^ -ljansson -lm

$(B)/san/libpkt.a: $(RUNTIME_NAMES:%=$(B)/san/runtime/%.o)
	@rm -f $@
	$(call say,AR)$(AR) rcs $@ $^

.PHONY: $(CHECKED) $(TESTED)
$(sort $(CHECKED) $(TESTED)): | $(B)/machine

OBJECTS := $(PARTS:%=$(B)/obj/%.o) $(B)/obj/compiler/main.o
$(B)/log/arrows.log: $(OBJECTS)
	@$(RUN) $@ tests/arrows.sh $(OBJECTS)

# A made-up type and attribute: how many files they touch; and a build with both.
$(B)/log/patches.log: $(wildcard tests/patches/*)
	@$(RUN) $@ tests/patches/patches.sh count $(B)/patches
.PHONY: test-patched
test-patched: $(B)/have-build-tools $(B)/have-test-tools
	@MAKE="$(MAKE)" $(if $(DRY),:) tests/patches/patches.sh whole $(B)/patched

# pktc without each of its workshops.
$(B)/log/without.log: $(B)/pktc $(DRIVERS:%=$(B)/test/%) $(B)/golden/stamp
	@$(RUN) $@ env BUILD=$(B) MAKE="$(MAKE)" PKTC=$(B)/pktc tests/without.sh $(B)/without

DISTRIBUTED := $(B)/dist/pktc.c $(THREE_FILES:$(B)/made/%=$(B)/dist/%)

# Names that are private to a file or a room differ from all others, because pktc.c and pkt.c have them all.
$(B)/log/one-file.log: $(DISTRIBUTED)
	@$(RUN) $@ env FLAGS="$(RECORD_FLAGS)" tests/one_file.sh $(B)/dist/pktc.c $(B)/dist/pkt.c

$(B)/log/parts.log: $(PKTC_CORE)
	@$(RUN) $@ env PKTC=$(PKTC_CORE) USES=$(B)/made/runtime_uses.c tests/dist/parts.sh $(PACKAGING_DIR)

# Programs with one construct of the language each: with the first attribute that it can have, and with some of the others.
$(B)/log/constructs.log: $(PKTC_CORE)
	@$(RUN) $@ env PKTC=$(PKTC_CORE) CC="$(CC)" DAY=$(DAY) tests/dist/constructs.sh $(PACKAGING_DIR)

$(B)/log/docs.log: $(B)/pktc $(B)/manual
	@$(RUN) $@ env PKTC=$(B)/pktc MANUAL=$(B)/manual tests/docs.sh $(B)/docs

$(B)/log/searchable.log: $(B)/golden/stamp
	@$(RUN) $@ tests/emit/searchable.sh $(B)/golden

$(B)/log/commented.log: $(PKTC_CORE)
	@$(RUN) $@ env PKTC=$(PKTC_CORE) tests/emit/commented.sh $(B)/commented

$(B)/log/soak.log: tests/soak.sh tests/compared.sh
	@$(RUN) $@ tests/soak_test.sh $(B)/soak-test

$(B)/log/passed.log: tests/report tests/passed.sh tests/passed_test.sh tests/compared.sh
	@$(RUN) $@ tests/passed_test.sh $(B)/passed-test

# The mistakes that make prove has to notice are still mistakes in what pktc generates.
$(B)/log/proofs.log: $(PKTC_RELEASES)
	@$(RUN) $@ env PKTC=$(PKTC_RELEASES) tests/prove/run.sh $(B)/proofs mistakes
$(B)/log/roundtrips.log: $(PKTC_CORE)
	@$(RUN) $@ env PKTC=$(PKTC_CORE) tests/prove/roundtrip.sh $(B)/roundtrips mistakes

$(B)/log/format.log: $(B)/have-test-tools
	@$(RUN) $@ tests/format.sh $(B)/formatted

# The tree-sitter grammar, if its library is there.
TREE_SITTER := $(shell printf '\#include <tree_sitter/api.h>\n' | $(CC) -E -x c - >/dev/null 2>&1 && echo $(B)/tree_sitter)
$(B)/tree_sitter: $(B)/test/editors/tree_sitter.o share/editors/tree-sitter/src/parser.c $(B)/obj/libpktc.a
	$(call say,LD)$(CC) $(CFLAGS) -Ishare/editors/tree-sitter/src -o $@ $^ -ltree-sitter -ljansson -lm $(RECORD_LIBRARIES)

$(B)/log/tree-sitter.log: $(TREE_SITTER)
	@$(RUN) $@ tests/editors/tree_sitter.sh $(or $(TREE_SITTER),none)

# Editors that start `pktc lsp`.
$(B)/log/lsp-clients.log: $(PKTC_EDITOR)
	@$(RUN) $@ env CC="$(CC)" tests/lsp/clients.sh $(PKTC_EDITOR) $(B)/lsp-clients

$(B)/log/emit/test_compile.log: $(B)/golden/stamp

$(PROGRAMS): $(B)/log/%.log: $(B)/test/%
	@$(RUN) $@ $<

$(UNIT_TESTS:%=$(B)/log/san/%.log): $(B)/log/san/%.log: $(B)/san/test/%
	@$(RUN) $@ $<

$(DRIVERS:%=$(B)/log/%.log): $(B)/log/%.log: $(B)/test/%
	@mkdir -p $(B)/scratch
	@$(RUN) $@ env $(call driver_paths,$(filter %/pktc,$^),$(filter %/pktc,$^),$(B)/scratch) $<

$(B)/log/scale-core.log: $(PKTC_TOOLS)
$(B)/log/scale-editor.log: $(PKTC_EDITOR)
$(B)/log/scale-recordings.log: $(PKTC_RECORDINGS)
$(B)/log/scale-releases.log: $(PKTC_CONVERT)
$(SCALES:%=$(B)/log/%.log): $(B)/log/scale-%.log: $(B)/test/scale/test_scale
	@mkdir -p $(B)/scratch/scale-$*
	@$(RUN) $@ env PART=$* PKTC=$(filter %/pktc,$^) SCRATCH=$(B)/scratch/scale-$* $<

$(SANITIZED:%=$(B)/log/san/%.log): $(B)/log/san/%.log: $(B)/test/%
	@mkdir -p $(B)/scratch/san
	@$(RUN) $@ env $(call driver_paths,$(filter $(B)/pktc $(B)/with/%,$^),$(filter $(B)/san/%/pktc $(B)/san/pktc,$^),$(B)/scratch/san) $<

$(VECTOR_NAMES:%=$(B)/log/vectors/%.log): $(B)/log/vectors/%.log: $(B)/vectors $(PKTC_CORE) $(B)/san/libpkt.a
	@$(RUN) $@ $(call vectors,tests/data/$*)

RANDOM := schemas schemas_complete schemas_fields schemas_parts
COUNTED := combinations coverage next pairs
DIFFERENTIAL := $(filter-out $(COUNTED:%=fuzz/%),$(patsubst tests/%.c,%,$(wildcard tests/fuzz/*.c)))
$(B)/differential: $(DIFFERENTIAL:%=$(B)/test/%.o) $(B)/obj/libpktc.a
	$(call say,LD)$(CC) $(CFLAGS) -o $@ $^ -ljansson -lm -ldl

$(B)/combinations: $(patsubst %,$(B)/test/fuzz/%.o,$(COUNTED) $(RANDOM)) $(B)/obj/libpktc.a
	$(call say,LD)$(CC) $(CFLAGS) -o $@ $^ -ljansson -lm

# Packets of older versions: generated code against pktc convert.
RANDOM_SCHEMAS := $(patsubst %,tests/fuzz/%.c,next $(RANDOM))
UPGRADE := tests/upgrade/upgrade_cases.c tests/fuzz/values.c $(RANDOM_SCHEMAS) tests/process.c
$(B)/upgrade_cases: $(UPGRADE:tests/%.c=$(B)/test/%.o) $(B)/obj/libpktc.a
	$(call say,LD)$(CC) $(CFLAGS) -o $@ $^ -ljansson -lm $(RECORD_LIBRARIES)

UPGRADED := PKTC=$(PKTC_CONVERT) CC="$(CC)" tests/upgrade/run.sh $(B)/upgrade_cases
$(B)/log/upgrade-pairs.log: $(B)/upgrade_cases $(PKTC_CONVERT)
	@$(RUN) $@ env $(UPGRADED) $(B)/upgraded/pairs pairs

$(B)/log/upgrade-serve.log: $(B)/upgrade_cases $(PKTC_CONVERT)
	@$(RUN) $@ env $(UPGRADED) $(B)/upgraded/serve serve $(SEED)

# Random schemas with random next releases. PAIRS=50 is a minute of each.
PAIRS ?= 3
RELEASED := upgrade-random upgrade-serve-random
$(RELEASED:%=$(B)/log/%.log): $(B)/log/upgrade-%.log: $(B)/upgrade_cases $(PKTC_CONVERT)
	@echo 'upgrade-$*: SEED=$(TODAY)'
	@$(RUN) $@ env $(UPGRADED) $(B)/upgraded/$* $* $(TODAY) $(PAIRS)

$(B)/log/upgrade-served.log: $(B)/upgrade_cases $(PKTC_CONVERT)
	@$(RUN) $@ env $(UPGRADED) $(B)/upgraded/served served $(SEED) 3000

$(B)/log/upgrade-releases.log: $(B)/upgrade_cases $(PKTC_CONVERT)
	@$(RUN) $@ env $(UPGRADED) $(B)/upgraded/releases serve-releases $(SEED) tests/upgrade/releases tests/upgrade/mygame.pkt 2

$(B)/log/upgrade-all.log: $(B)/upgrade_cases $(PKTC_CONVERT)
	@$(RUN) $@ env $(UPGRADED) $(B)/upgraded/all all

$(B)/log/upgrade-hooks.log: $(B)/upgrade_cases $(PKTC_CONVERT)
	@$(RUN) $@ env $(UPGRADED) $(B)/upgraded/hooks hooks

$(B)/log/upgrade-mygame.log: $(B)/upgrade_cases $(PKTC_CONVERT)
	@$(RUN) $@ env $(UPGRADED) $(B)/upgraded/mygame releases tests/upgrade/releases tests/upgrade/mygame.pkt

# Lua for Wireshark against the codec, in tshark.
DISSECT := $(wildcard tests/dissect/dissect*.c) tests/fuzz/next.c tests/fuzz/values.c tests/fuzz/schemas.c tests/fuzz/schemas_fields.c \
           tests/fuzz/schemas_parts.c tests/interop/vectors_read.c tests/interop/vectors_text.c
$(B)/dissect: $(DISSECT:tests/%.c=$(B)/test/%.o) $(B)/obj/libpktc.a
	$(call say,LD)$(CC) $(CFLAGS) -o $@ $^ -ljansson -lm

$(B)/recorded: $(patsubst %,$(B)/test/dissect/%.o,recorded dissect_tree dissect_expected dissect_sent dissect_place) $(B)/obj/libpktc.a
	$(call say,LD)$(CC) $(CFLAGS) -o $@ $^ -ljansson -lm $(RECORD_LIBRARIES)

$(B)/log/dissect.log: $(B)/dissect $(PKTC_DISSECT)
	@$(RUN) $@ env PKTC=$(PKTC_DISSECT) tests/dissect/run.sh $< $(B)/dissected

# Random schemas: in make test two with the seed of the day, or SEED.
$(B)/log/dissect-today.log: $(B)/dissect
	@echo 'dissect-today: SEED=$(TODAY)'
	@$(RUN) $@ tests/dissect/run.sh $< $(B)/dissected-today random $(TODAY) 2

dissect: $(B)/dissect
	@tests/dissect/run.sh $< $(B)/dissected-long random $(SEED) $(SCHEMAS)

# Of packets with parts, older releases are only served.
TOGETHER := $(wildcard tests/fuzz/together/*.pkt)
together: $(B)/differential $(B)/dissect $(B)/upgrade_cases $(B)/pktc
	@for schema in $(TOGETHER); do \
	  tests/fuzz/run.sh sample $< $(B)/fuzz/together --schema $$schema --cases $(CASES) --seed $(SEED) && \
	  $(UPGRADED) $(B)/upgraded/together serve-random $(SEED) 8 $$schema || exit; done
	@for schema in $(filter-out %/parts.pkt,$(TOGETHER)); do \
	  $(UPGRADED) $(B)/upgraded/together random $(SEED) 8 $$schema || exit; done
	@mkdir -p $(B)/dissected-together
	@if command -v tshark >/dev/null; then \
	  $(B)/dissect --seed $(SEED) --cases 100 --schemas 0 $(B)/dissected-together $(TOGETHER); \
	else \
	  echo '[  SKIPPED ] together: dissectors: no tshark (package tshark)'; \
	fi

# Tables against what decode prints, read by other programs: one schema of each kind of construct, and random ones.
TABLED := $(addprefix schemas/,all.pkt mygame.pkt cubes.pkt example/arena.pkt) \
          $(addprefix tests/,dissect/lists.pkt roundtrip/every.pkt roundtrip/formats.pkt fuzz/nested.pkt fuzz/together/counts.pkt)
TABLES := env PKTC=$(B)/pktc FEW=$(B)/few/pktc CC="$(CC)" RECORD=$(B)/record_random NPM=$(B)/tables tests/tables/readers.sh
$(B)/record_random: $(patsubst %,$(B)/test/%.o,tables/record_random fuzz/schemas fuzz/schemas_fields fuzz/schemas_parts fuzz/values) $(B)/obj/libpktc.a
	$(call say,LD)$(CC) $(CFLAGS) -o $@ $^ -ljansson -lm $(RECORD_LIBRARIES)

# pktc with sanitizers, whose pages, groups of rows and files end after a few rows.
FEW := PAGE_BYTES=128 GROUP_ROWS=70 MOST_IN_PAGES=8192 MOST_IN_GROUPS=16384 MOST_IN_ENDS=16384 DICTIONARY_COUNT=7 DICTIONARY_BYTES=50
FEW_PARTS := parquet parquet_column
$(B)/few/%.c: compiler/workshops/tables/%.c
	@mkdir -p $(@D)
	$(call say,FEW)sed -E "$$(for each in $(FEW); do echo "s/$${each%=*} = [0-9 <]+/$${each%=*} = $${each#*=}/"; done)" $< >$@
$(B)/few/pktc: $(FEW_PARTS:%=$(B)/few/%.c) $(B)/san/compiler/main.o $(B)/san/libpktc.a
	$(call say,LD)$(CC) $(COMPILER_FLAGS) $(SANITIZE) -o $@ $(filter %.c,$^) $(B)/san/compiler/main.o \
	    $(patsubst %,$(B)/san/%.o,$(filter-out $(FEW_PARTS:%=compiler/workshops/tables/%),$(filter compiler/workshops/tables/%,$(PARTS)))) \
	    $(B)/san/libpktc.a -ljansson -lm $(RECORD_LIBRARIES)

$(B)/log/tables.log: $(B)/record_random $(B)/pktc $(B)/few/pktc
	@echo 'tables: SEED=$(TODAY)'
	@$(RUN) $@ $(TABLES) $(B)/tabled $(TODAY) 2 4 $(TABLED)

# All schemas of the repository but one with values that are very large, and 200 random ones; rewrites the answers in docs/tables.md.
tables-refresh: $(B)/record_random $(B)/pktc $(B)/few/pktc
	@$(TABLES) --refresh $(B)/tabled-long $(SEED) 2 200 $(filter-out %/hostile.pkt %/dist/game/game.pkt,$(shell git ls-files '*.pkt' | grep -v 'errors/\|releases/' | xargs grep -l ^protocol))

# Half of the sample is the same each time, half of it has the seed of the day, or SEED: one of these is compiled by all compilers.
TODAY = $(if $(filter file undefined,$(origin SEED)),$(shell date -u +%Y%m%d),$(SEED))
$(B)/log/differential.log: $(B)/differential
	@$(RUN) $@ tests/fuzz/run.sh clang $< $(B)/fuzz/sample --schemas 20 --cases 1000

$(B)/log/differential-today.log: $(B)/differential
	@echo 'differential-today: SEED=$(TODAY)'
	@$(RUN) $@ tests/fuzz/run.sh sample $< $(B)/fuzz/today --schemas 20 --cases 1000 --share 20 --seed $(TODAY)

# 40 schemas, without comparing anything: together they have every combination of constructs.
$(B)/log/combinations.log: $(B)/combinations
	@mkdir -p $(B)/fuzz/combinations
	@$(RUN) $@ $< --schemas 100 $(B)/fuzz/combinations .

# How often 2,000 schemas have constructs together: build/fuzz/pairs/pairs.
pairs: $(B)/combinations
	@mkdir -p $(B)/fuzz/pairs
	@$< --schemas $(SCHEMAS) --seed $(SEED) $(B)/fuzz/pairs .

# Packets with parts over a bad network. given: with every kind of names, also such as random schemas seldom have. started: with start
# values, in lists of which some are part of what fits.
HELD := 2000
HELD_SCHEMAS := 16
held: HELD := 26000
held: HELD_SCHEMAS := 24
HOLD = tests/fuzz/run.sh $1 $(B)/differential $(B)/fuzz/$2 $3 --held $(HELD) --seed $(SEED)
HOLD_RANDOM = $(call HOLD,clang,$1,--schemas $(HELD_SCHEMAS))
HOLD_GIVEN = $(call HOLD,gcc,$1,--schema tests/roundtrip/datagram.pkt)
HOLD_STARTED = $(call HOLD,gcc,$1,--schema tests/roundtrip/starts.pkt)
$(B)/log/held.log: $(B)/differential
	@$(RUN) $@ $(call HOLD_RANDOM,held)

$(B)/log/held-given.log: $(B)/differential
	@$(RUN) $@ $(call HOLD_GIVEN,held-given)

$(B)/log/held-started.log: $(B)/differential
	@$(RUN) $@ $(call HOLD_STARTED,held-started)

held: $(B)/differential
	@$(call HOLD_RANDOM,held-long)
	@$(call HOLD_GIVEN,held-long)
	@$(call HOLD_STARTED,held-long)

# Uses of memory that was never set: a sample of make msan and make valgrind.
UNSET := VECTORS=$(B)/vectors tests/unset.sh
$(B)/log/unset.log: $(B)/vectors $(PKTC_CORE)
	@$(RUN) $@ env PKTC=$(PKTC_CORE) $(UNSET) sample $(B)/unset-sample tests/data/half.jsonl tests/data/empty.jsonl

msan: $(B)/vectors $(B)/pktc $(B)/schemas/stamp $(B)/have-test-tools
	@$(need) clang-msan
	@env PKTC=$(B)/pktc SCHEMAS=$(B)/schemas $(UNSET) msan $(B)/msan $(VECTOR_FILES)

valgrind: $(B)/vectors $(B)/pktc $(B)/differential $(B)/test/codec/test_codec
	@$(need) gcc valgrind
	@env PKTC=$(B)/pktc DIFFERENTIAL=$(B)/differential $(UNSET) valgrind $(B)/valgrind $(SEED) $(VECTOR_FILES)

# Everything with the address sanitizer, generated code too. At -O1 it sees accesses of several bytes past the end.
$(B)/san/differential: $(DIFFERENTIAL:%=$(B)/san/test/%.o) $(B)/san/libpktc.a
	$(call say,LD)$(CC) $(SANITIZE) -o $@ $^ -ljansson -lm -ldl

$(B)/log/address.log: $(B)/san/differential
	@$(RUN) $@ env CC="$(CC)" tests/fuzz/run.sh address $< $(B)/fuzz/address --schemas 6 --cases 400 --seed 779

# The same with one schema each, and one compiler: only gcc checks the bounds of arrays of structs.
FIXED_SCHEMAS := nested attributes few-values mygame predicted started everything
$(FIXED_SCHEMAS:%=$(B)/log/%.log): $(B)/log/%.log: $(B)/differential
	@$(RUN) $@ tests/fuzz/run.sh $(FIXED)
# What random schemas seldom have: sparse arrays, refs and unions nested several levels deep, and some attributes together.
$(B)/log/nested.log: FIXED = gcc $< $(B)/fuzz/$* --schema tests/fuzz/nested.pkt --cases 40000
$(B)/log/attributes.log: FIXED = gcc-O3 $< $(B)/fuzz/$* --schema tests/fuzz/together/attributes.pkt --cases 10000
# Types with few values: random bytes meet each way to refuse them, whose explanation test_every.c does not check.
$(B)/log/few-values.log: FIXED = clang $< $(B)/fuzz/$* --schema tests/roundtrip/every.pkt --cases 20000
$(B)/log/mygame.log: FIXED = gcc-O2 $< $(B)/fuzz/$* --schema schemas/mygame.pkt --cases 20000
# Every form of coded fields, and baselines that are predicted, which random schemas have not.
$(B)/log/predicted.log: FIXED = clang $< $(B)/fuzz/$* --schema tests/roundtrip/coded.pkt --cases 8000
# Parts with start values.
$(B)/log/started.log: FIXED = gcc $< $(B)/fuzz/$* --schema tests/roundtrip/starts.pkt --seed 2 --cases 8000
# One of each construct. make mutate checks that this test notices mistakes.
$(B)/log/everything.log: FIXED = gcc $< $(B)/fuzz/$* --schema schemas/all.pkt --cases 240000

$(B)/log/warnings.log: $(OBJECTS) $(B)/obj/compiler/dist/manual.o $(B)/dist/pktc.c $(B)/have-test-tools
	@$(RUN) $@ env CFLAGS="$(CFLAGS)" tests/warnings.sh "$(COMPILER_FLAGS)" "$(RUNTIME_FLAGS)"

$(B)/log/generated-golden.log: $(B)/golden/stamp $(wildcard runtime/*.h) $(B)/have-test-tools
	@$(RUN) $@ tests/emit/generated.sh golden $(B)/schemas $(B)/golden/*/

# Days since 1970, or SEED: which files gcc optimizes. `make generated` optimizes all of them.
DAY = $(if $(filter file undefined,$(origin SEED)),$(shell echo $$(($$(date +%s) / 86400))),$(SEED))
$(GENERATED:%=$(B)/log/%.log): $(B)/log/generated-%.log: $(B)/schemas/stamp $(B)/golden/stamp $(B)/have-test-tools
	@$(RUN) $@ env CC="$(CC)" DAY=$(DAY) tests/emit/generated.sh $* $(B)/schemas $(B)/golden/*/

generated: $(B)/schemas/stamp $(B)/golden/stamp $(B)/have-test-tools
	@tests/emit/generated.sh gcc $(B)/schemas $(B)/golden/*/

$(B)/log/debugger.log: $(PKTC_CORE) $(B)/have-test-tools
	@$(RUN) $@ env CC="$(CC)" PKTC=$(PKTC_CORE) tests/emit/debugger.sh $(B)/debugger

# Schemas of twice the size make at most twice the code: they are at 1.6 to 2.0.
$(B)/log/families.log: $(PKTC_CORE) $(B)/have-test-tools
	@$(RUN) $@ env PKTC=$(PKTC_CORE) BUILD=$(B)/packaging/families tests/bench/families.sh 2.05

# Tests of building and installing. Each builds a small game in its own directory.
PACKAGING_DIR = $(B)/packaging/$(@F:%.log=%)

$(B)/log/deps.log: $(B)/have-build-tools
	@$(RUN) $@ env MAKE="$(MAKE)" tests/dist/deps.sh $(PACKAGING_DIR)

$(B)/log/install.log: $(B)/pktc $(B)/libpkt.a $(B)/have-test-tools
	@$(RUN) $@ env MAKE="$(MAKE)" tests/dist/install.sh $(PACKAGING_DIR)

$(B)/log/sections.log: $(PKTC_CORE) $(B)/libpkt.a $(B)/have-test-tools
	@$(RUN) $@ env PKTC=$(PKTC_CORE) LIBRARY=$(B)/libpkt.a tests/dist/sections.sh $(PACKAGING_DIR)

$(B)/log/sizes.log: $(PKTC_CORE) $(B)/have-test-tools
	@$(RUN) $@ env PKTC=$(PKTC_CORE) tests/dist/sizes.sh $(PACKAGING_DIR)

$(B)/log/cmake.log: $(B)/pktc $(B)/libpkt.a $(B)/have-test-tools
	@$(RUN) $@ env MAKE="$(MAKE)" PKTC=$(B)/pktc tests/dist/cmake.sh $(PACKAGING_DIR)

$(B)/log/dist.log: $(B)/pktc $(DISTRIBUTED) $(B)/have-test-tools
	@$(RUN) $@ env $(DRIVER_PATHS) tests/dist/dist.sh $(PACKAGING_DIR) $(B)/dist

$(B)/log/recipes.log: $(B)/pktc $(B)/have-test-tools
	@$(RUN) $@ env MAKE="$(MAKE)" $(DRIVER_PATHS) tests/dist/recipes.sh $(PACKAGING_DIR)

$(B)/log/fleet.log: $(PKTC_RECORDINGS) share/fleet/dask_tally.py docs/fleet.md tests/dist/record_fleet.c
	@$(RUN) $@ env CC="$(CC)" PKTC=$(PKTC_RECORDINGS) tests/dist/fleet.sh $(PACKAGING_DIR)

$(B)/log/completion.log: $(B)/pktc $(B)/have-test-tools
	@$(RUN) $@ env $(DRIVER_PATHS) tests/dist/completion.sh $(PACKAGING_DIR)

$(B)/log/cplusplus.log: $(B)/schemas/stamp $(B)/have-test-tools
	@$(RUN) $@ tests/dist/cplusplus.sh $(PACKAGING_DIR) $(B)/schemas

$(B)/log/bound.log: $(PKTC_CORE)
	@$(RUN) $@ tests/dist/bound.sh $(PACKAGING_DIR) $(PKTC_CORE)

$(B)/log/windows.log: $(B)/pktc $(DISTRIBUTED) $(B)/schemas/stamp $(B)/have-test-tools
	@$(RUN) $@ env $(DRIVER_PATHS) tests/dist/windows.sh $(PACKAGING_DIR) $(B)/dist $(B)/schemas

$(B)/log/hosts.log: $(PKTC_RELEASES)
	@$(RUN) $@ env MAKE="$(MAKE)" PKTC=$(PKTC_RELEASES) tests/dist/hosts.sh $(PACKAGING_DIR)

$(B)/log/packages.log: $(B)/pktc $(B)/libpkt.a $(DISTRIBUTED)
	@$(RUN) $@ env DIST=$(B)/dist PKTC=$(B)/pktc tests/dist/packages.sh $(PACKAGING_DIR)

# One package, with all that there is to run of it.
PACKAGE_LOGS := $(PACKAGES:%=$(B)/log/package-%.log)
.PHONY: $(PACKAGE_LOGS) $(PACKAGES:%=package-%)
$(PACKAGE_LOGS): $(B)/log/package-%.log: $(B)/pktc $(B)/libpkt.a $(DISTRIBUTED)
	@$(need) $(TOOLS_$*)
	@$(RUN) $@ env MAKE="$(MAKE)" BARE=$(B)/bare DIST=$(B)/dist $(DRIVER_PATHS) tests/dist/packages.sh $(PACKAGING_DIR) $*
$(PACKAGES:%=package-%): package-%: $(B)/log/package-%.log
	@BUILD=$(B) tests/report total $<

bare: dist
	@$(need) $(TOOLS_docker)
	@DIST=$(B)/dist tests/dist/bare.sh $(B)/bare $(BARE)

$(B)/log/transports.log: $(PKTC_CORE)
	@$(RUN) $@ env PKTC=$(PKTC_CORE) CC="$(CC)" tests/dist/transports.sh $(PACKAGING_DIR)

$(B)/log/bindings.log: $(PKTC_BOUND) $(B)/vectors
	@$(RUN) $@ env PKTC=$(PKTC_BOUND) VECTORS=$(B)/vectors CC="$(CC)" tests/bindings/run.sh $(PACKAGING_DIR)

$(B)/log/bindings-ts.log: $(PKTC_BOUND) $(B)/vectors
	@$(RUN) $@ env PKTC=$(PKTC_BOUND) VECTORS=$(B)/vectors CC="$(CC)" tests/bindings/ts.sh $(PACKAGING_DIR)

$(B)/log/bindings-godot.log: $(PKTC_BOUND) $(B)/vectors
	@$(RUN) $@ env PKTC=$(PKTC_BOUND) VECTORS=$(B)/vectors CC="$(CC)" tests/bindings/godot.sh $(PACKAGING_DIR)

$(B)/log/engines.log: $(PKTC_BOUND)
	@$(RUN) $@ env PKTC=$(PKTC_BOUND) CC="$(CC)" CXX="$(CXX)" tests/dist/engines.sh $(PACKAGING_DIR)

$(B)/log/web.log: $(B)/pktc $(DISTRIBUTED)
	@$(RUN) $@ env MAKE="$(MAKE)" BUILD=$(B) PKTC=$(B)/pktc tests/web/web.sh $(PACKAGING_DIR)

$(B)/log/example.log: $(EXAMPLE_PROGRAMS) $(B)/recorded tests/dist/replayed.c
	@$(RUN) $@ env PKTC=$(B)/pktc COMPARE=$(B)/recorded tests/dist/example.sh $(B)/example $(PACKAGING_DIR)

CROSS := VECTORS=$(B)/vectors DIFFERENTIAL=$(B)/differential DIST=$(B)/dist SCRATCH=$(B)/scratch tests/cross/cross.sh
$(B)/log/cross.log: $(B)/vectors $(B)/differential $(PKTC_CORE)
	@$(RUN) $@ env PKTC=$(PKTC_CORE) SCHEMAS=1 CC="$(CC)" $(CROSS) $(B)/cross-sample s390x native

# Options of compilers that could change the arithmetic of floats.
$(B)/log/flags.log: $(PKTC_CORE)
	@$(RUN) $@ env PKTC=$(PKTC_CORE) tests/cross/flags.sh $(B)/cross-flags

$(B)/log/msvc.log: $(B)/vectors $(PKTC_RELEASES)
	@$(RUN) $@ env PKTC=$(PKTC_RELEASES) SCHEMAS=0 CC="$(CC)" $(CROSS) $(B)/msvc-sample msvc

cross: $(B)/vectors $(B)/differential $(B)/pktc dist
	@PKTC=$(B)/pktc SCHEMAS=12 REQUIRED=1 CC="$(CC)" $(CROSS) $(B)/cross

MSVC_RANDOM := DIFFERENTIAL=$(B)/differential tests/cross/msvc/schemas.sh $(B)/msvc-random
$(B)/log/msvc-random.log: $(B)/differential
	@$(RUN) $@ env $(MSVC_RANDOM) 1 0 30

msvc-random: $(B)/differential
	@$(MSVC_RANDOM) $(SEED) $(FIRST) $(SCHEMAS)

# What tests/cross/msvc/cl.sh needs on Windows.
windows-kit: $(B)/vectors $(B)/pktc dist
	@$(DRIVER_PATHS) VECTORS=$(B)/vectors DIST=$(B)/dist CC="$(CC)" tests/cross/msvc/kit.sh $(B)/windows-kit

TIME = 60
# pktc with what libFuzzer counts.
FUZZED = $(MAKE) B=$(B)/fuzzed CC=clang SANITIZE='-g1 -O1 -fsanitize=address,undefined,fuzzer-no-link \
         -fno-sanitize-recover=all' $(B)/fuzzed/san/libpktc.a
GOLDEN := subsets choice deltas coded fit
CARELESS := schemas/mygame.pkt schemas/all.pkt $(GOLDEN:%=tests/emit/golden/%.pkt) tests/roundtrip/datagram.pkt \
            tests/roundtrip/faults.pkt
TARGETS := schemas/mygame.pkt schemas/cubes.pkt schemas/all.pkt $(GOLDEN:%=tests/emit/golden/%.pkt) \
           tests/fuzz/libfuzzer/trained.pkt tests/roundtrip/datagram.pkt tests/roundtrip/starts.pkt \
           tests/dissect/lists.pkt sessions \
           tests/upgrade/mygame.pkt pktc
# Those that only make fuzz runs.
FUZZ_ONLY := $(CARELESS:%=careless:%) recordings lsp
FUZZ := DIFFERENTIAL=$(B)/differential FLAGS="-DPKTC_JSON $(RECORD_FLAGS) $(INCLUDES)" \
        tests/fuzz/libfuzzer/fuzz.sh
FUZZ_LIBRARIES := -ljansson $(RECORD_LIBRARIES)
fuzz: $(B)/pktc $(B)/differential
	@$(need) clang
	@$(FUZZED)
	@PKTC=$(B)/pktc LIBRARY="$(B)/fuzzed/san/libpktc.a $(FUZZ_LIBRARIES)" $(FUZZ) fuzz $(B)/fuzz $(TIME) $(or $(TARGET),$(TARGETS) $(FUZZ_ONLY))

fuzz-refresh:
	@PKTC=$(B)/pktc $(FUZZ) keep $(B)/fuzz 96 $(TARGETS)

# Only the last target has older releases.
PACKETS := $(filter-out pktc tests/upgrade/%,$(TARGETS))
RELEASED_PACKETS := $(filter tests/upgrade/%,$(TARGETS))
SAMPLED = $(RUN) $@ env PKTC=$< LIBRARY=$(B)/san/libpkt.a CC="$(CC)" $(FUZZ) sample $(B)/fuzz-sample/$(@F:%.log=%) 5000
$(B)/log/fuzzers.log: $(PKTC_CORE) $(B)/san/libpkt.a
	@$(SAMPLED) $(PACKETS)
$(B)/log/fuzzers-releases.log: $(PKTC_RELEASES) $(B)/san/libpkt.a
	@$(SAMPLED) $(RELEASED_PACKETS)

# pktc itself.
$(B)/log/fuzzed-pktc.log: $(B)/san/libpktc.a
	@$(RUN) $@ env PKTC= LIBRARY=$< CC="$(CC)" $(FUZZ) sample $(B)/fuzz-sample/$(@F:%.log=%) 1000 pktc

# What reads leave of the memory that they read into. A state of 901 cubes takes the sanitizer too long.
$(B)/log/memory.log: $(PKTC_CORE) $(B)/have-test-tools
	@$(RUN) $@ env PKTC=$< $(FUZZ) memory $(B)/fuzz-memory/$(@F:%.log=%) 20000 $(filter-out %/cubes.pkt sessions,$(PACKETS))
$(B)/log/memory-releases.log: $(PKTC_RELEASES) $(B)/have-test-tools
	@$(RUN) $@ env PKTC=$< $(FUZZ) memory $(B)/fuzz-memory/$(@F:%.log=%) 20000 $(RELEASED_PACKETS)

prove: $(B)/pktc
	@$(need) $(PROVE_TOOLS)
	@PKTC=$(B)/pktc PROVE_TIME=$(PROVE_TIME) tests/prove/run.sh $(B)/prove
prove-roundtrips: $(B)/pktc
	@$(need) $(ROUNDTRIP_TOOLS)
	@PKTC=$(B)/pktc PROVE_TIME=$(PROVE_TIME) tests/prove/roundtrip.sh $(B)/prove-roundtrips

SAMPLE = 100
MUTATED = runtime generated wire
$(B)/test/mutate/mutator: tests/mutate/mutator.c
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(TEST_FLAGS) $(CFLAGS) -o $@ $<

MUTATE_DRIVERS := $(filter-out commands/test_faults commands/test_targets emit/test_compile scale/%,$(DRIVERS))
mutate: $(B)/pktc $(B)/san/pktc $(B)/san/libpkt.a $(B)/differential $(B)/vectors $(B)/upgrade_cases $(B)/test/mutate/mutator \
        $(B)/schemas/stamp $(MUTATE_DRIVERS:%=$(B)/test/%) $(UNIT_TESTS:%=$(B)/test/%.o)
	@BUILD=$(B) CC="$(CC)" FLAGS="$(INCLUDES) -DPKTC_JSON $(RECORD_FLAGS) $(PCAP:yes=-DHAS_PCAP)" \
	    LIBRARIES="-lcmocka -ljansson -lm $(RECORD_LIBRARIES) $(PCAP:yes=-lpcap)" \
	    DRIVERS="$(MUTATE_DRIVERS)" UNIT_TESTS="$(UNIT_TESTS)" LEDGER="$(LEDGER)" \
	    tests/mutate/mutate.sh $(B)/mutate $(SAMPLE) $(SEED) $(MUTATED)

$(B)/log/advice.log: $(PKTC_RECORDINGS) $(B)/cubes/trace tests/traffic/record_cubes.c
	@$(RUN) $@ env PKTC=$(PKTC_RECORDINGS) tests/traffic/cubes.sh $(B)/advice $(B)/cubes/trace
$(B)/log/cubes.log: $(B)/cubes/cubes $(B)/cubes/trace $(B)/cubes/trained1 $(B)/cubes/trained2 $(B)/cubes/trace2
	@$(RUN) $@ tests/bench/cubes.sh $(B)/cubes

# Fuzzers run for minutes, but whether they compile is known in seconds.
check: $(CHECKED) | $(patsubst tests/%.c,$(B)/test/%.o,$(wildcard tests/fuzz/*.c tests/fuzz/libfuzzer/fuzz_pktc.c))
	@BUILD=$(B) tests/report total $^

test: $(TESTED)
	@BUILD=$(B) tests/report total $^

# Targets for single tests: check-num for base/test_num, test-links for roundtrip/test_links, test-cmake for cmake.
part_name = $(patsubst test_%,%,$(notdir $1))
define part
.PHONY: $1-$(call part_name,$2)
$1-$(call part_name,$2): $(B)/log/$2.log
	@BUILD=$(B) tests/report total $$<
endef
$(foreach name,$(QUICK),$(eval $(call part,check,$(name))))
$(foreach name,$(filter-out $(UNIT_TESTS:%=san/%),$(LONG)),$(eval $(call part,test,$(name))))

.PHONY: test-scale
test-scale: $(SCALES:%=test-%)

vectors = env PKTC=$(PKTC_CORE) VECTORS=$(B)/vectors RUNTIME=$(B)/san/libpkt.a CC="$(CC)" BUILD=$(B)/interop tests/interop/run.sh $(1)
vectors: $(B)/vectors $(PKTC_CORE) $(B)/san/libpkt.a
	@$(call vectors,$(FILE))

SCHEMAS ?= 2000
CASES ?= 5000
SEED ?= 1
FIRST ?= 0
SHARE ?= 40
differential: $(B)/differential $(B)/san/differential
	@tests/fuzz/run.sh long $< $(B)/fuzz/long --schemas $(SCHEMAS) --cases $(CASES) --seed $(SEED) --first $(FIRST) \
	  --share $(SHARE)
	@CC="$(CC)" tests/fuzz/run.sh address $(B)/san/differential $(B)/fuzz/address \
	  --schemas $$((($(SCHEMAS) + 19) / 20)) --cases 500 --seed $(SEED) --first $(FIRST)

# All codes of quantized numbers, up to 2^21 of each of 10,000 random ranges.
RANGES ?= 10000
ranges: $(B)/test/codec/test_quantized
	@PKT_RANGES=$(RANGES) PKT_CODES=2000 PKT_SEED=$(SEED) $<

# Edits of schemas that are open in an editor.
EDITS ?= 10000
lsp-edits: $(B)/san/test/lsp/test_edits $(B)/test/lsp/test_edits
	@ASAN_OPTIONS=quarantine_size_mb=16 PKT_EDITS=$(EDITS) PKT_SEED=$(SEED) $<
	@PKT_EDITS=$(EDITS)0 PKT_SEED=$(SEED) $(B)/test/lsp/test_edits

# The example with 64 clients under the address sanitizer.
SECONDS ?= 3600
load: $(EXAMPLE_PROGRAMS)
	@CC="$(CC)" tests/dist/load.sh $(B)/example $(B)/load $(SECONDS)

HOURS ?= 1
soak:
	@MAKE="$(MAKE)" B=$(B) TARGETS="$(TARGETS) $(FUZZ_ONLY)" $(if $(DRY),:) tests/soak.sh $(HOURS) $(SEED) $(B)/soak

format:
	@tests/format.sh --fix

NUMBER ?= 100
sentences:
	@tests/sentences.sh $(SEED) $(NUMBER)

docs-refresh: $(B)/pktc $(B)/manual
	@PKTC=$(B)/pktc MANUAL=$(B)/manual tests/docs.sh --refresh $(B)/docs

errors-refresh: $(B)/test/check/test_errors $(B)/pktc
	$(DRIVER_PATHS) $< --refresh

golden-refresh: $(B)/test/emit/test_golden $(B)/pktc
	$(DRIVER_PATHS) $< --refresh

TOOLS := commands/test_fmt layout/test_layout commands/test_wireshark commands/test_bind
tools-refresh: $(TOOLS:%=$(B)/test/%) $(B)/pktc
	set -e; for test in $(TOOLS); do $(DRIVER_PATHS) $(B)/test/$$test --refresh; done

codec-refresh: $(B)/test/codec/test_codec $(B)/pktc
	$(DRIVER_PATHS) $< --refresh

diff-refresh: $(B)/test/diff/test_diff $(B)/pktc
	$(DRIVER_PATHS) $< --refresh
