# Makefile - builds pktc, runs its tests, installs it. Everything it makes is in build/.
# SPDX-License-Identifier: MIT
#
#   make                    build/pktc
#   make check              the quick tests, in seconds: unit tests, diagnostics, golden output, the command line, the
#                           codec, and style (arrows between rooms, format); the last line is the total
#   make check-NAME         one of them: arrows, format, errors, golden, codec, cli, tools, names, num, parse, lanes ...
#   make test               all tests, in minutes
#   make test-NAME          one that only make test runs: mygame, delta, everything, differential, generated-gcc,
#                           faults, cmake ...
#   make vectors [FILE=...] generated code and the codec against known bytes in FILE; by default, those in tests/data
#   make differential [SCHEMAS=2000 CASES=5000 SEED=1 FIRST=0 SHARE=40]
#                           generated code against the codec, with random schemas, values and bytes
#   make example            a server and 64 clients on a bad network, from schemas/example; takes a few seconds
#   make cross              generated code on other processors: s390x, aarch64, i386, this one with all its
#                           instructions, Windows, wasm, Cortex-M: vectors, rounding, reads of random schemas;
#                           make test runs s390x and this processor
#   make fuzz [TIME=60]     libFuzzer, TIME seconds each, on the readers of mygame, cubes, all and seven small schemas,
#                           and on pktc itself
#   make fuzz-refresh       adds the new inputs that it found, if up to 96 bytes long, to those that make test uses
#   make prove              proves with Frama-C that generated readers and writers have no undefined behaviour, whatever
#                           the bytes
#   make mutate [SAMPLE=100 SEED=1 MUTATED="runtime generated wire"]
#                           makes small mistakes in the runtime, in generated code and in pktc, each of which a test has
#                           to notice; SAMPLE=0: all of them. MUTATED may also have other rooms of the compiler, such as
#                           diff, and files: runtime/pkt_fit.c compiler/record/training.c
#   make cubes              sends a recorded simulation as snapshots, in fewer bits step by step
#   make bench              speed and size of generated code and of other libraries; how long 100,000 lines of schema
#                           take
#   make builds             what generated code costs a build: seconds and memory of compilers, bytes; make bench
#                           prints it too
#   make bench-instructions instructions per message, counted by callgrind; MESSAGE=Ship counts one message only
#   make format             formats the C files with clang-format
#   make errors-refresh     rewrites the expected diagnostics of tests/check/errors and tests/front/errors
#   make golden-refresh     rewrites the expected output of tests/emit/golden
#   make tools-refresh      rewrites the expected output of tests/commands
#   make codec-refresh      rewrites the expected output of tests/codec
#   make diff-refresh       rewrites the expected output of tests/diff
#   make pictures           draws pictures of docs/images, from what pktc and make cubes print
#   make docs-refresh       rewrites the output of pktc and the lists of files in docs
#   make dist               build/dist: pktc as one C file, its runtime as pkt.h and pkt.c
#   make install            installs into $(DESTDIR)$(prefix): pktc, manual page, shell completion, and the runtime for
#                           pkg-config and CMake
#   make clean

# The built-in rules would make a parser of grammar.y with yacc.
MAKEFLAGS += -rR
.SUFFIXES:
.SECONDARY:
.DELETE_ON_ERROR:
.DEFAULT_GOAL := all

ifneq (,$(filter default undefined,$(origin CC)))
CC = cc
endif
ifneq (,$(filter default undefined,$(origin CXX)))
CXX = c++
endif
ifneq (,$(filter default undefined,$(origin AR)))
AR = ar
endif
CFLAGS ?= -O2 -g
prefix ?= /usr/local

B := build
# What is being made; make V=1 shows the commands instead.
say = $(if $(V),,@echo '$(1) $@' &&)
WARNINGS := -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wcast-qual -Wmissing-prototypes \
            -Wstrict-prototypes
SANITIZE := -g -O1 -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all
INCLUDES := -Icompiler -Iruntime -Itests -I$(B)/made
# A switch over kinds has no default, so that a missing case is an error.
COMPILER_FLAGS := -std=c11 -D_POSIX_C_SOURCE=200809L -DPKTC_JSON $(WARNINGS) -Werror=switch \
                  -Werror=implicit-function-declaration $(INCLUDES)
RUNTIME_FLAGS := -std=c99 $(WARNINGS) -Wfloat-conversion -Iruntime
# A program that links to libpkt.a with -Wl,--gc-sections has only those functions of the runtime that it calls.
SECTIONS := -ffunction-sections -fdata-sections
TEST_FLAGS := -std=c11 -D_POSIX_C_SOURCE=200809L -Wall -Wextra -Wshadow -Wstrict-prototypes -Werror=switch \
              -Werror=implicit-function-declaration $(INCLUDES)

RUNTIME_FILES := $(wildcard runtime/*.h runtime/*.c)
RUNTIME_NAMES := $(patsubst runtime/%.c,%,$(wildcard runtime/*.c))
BUILD_PROGRAMS := embed amalgamate
ROOMS := base front model check wire diff emit codec dissect record traffic layout commands options
COMPILER_NAMES := $(patsubst compiler/%.c,%,$(filter-out compiler/main.c,$(wildcard compiler/*.c)) \
                    $(wildcard $(ROOMS:%=compiler/%/*.c)))
MADE_NAMES := lexer grammar runtime_files lua_files
PARTS := $(COMPILER_NAMES:%=compiler/%) $(MADE_NAMES:%=made/%) $(RUNTIME_NAMES:%=runtime/%)

.PHONY: all check test vectors differential fuzz fuzz-refresh cross prove mutate example cubes cubes-models pictures bench builds \
        bench-instructions format errors-refresh golden-refresh tools-refresh codec-refresh \
        diff-refresh docs-refresh \
        dist install clean
all: $(B)/pktc

# ---- tools, checked once in each build directory

$(B)/have-build-tools: .ci/need
	@mkdir -p $(B)
	@CC="$(CC)" .ci/need re2c lemon jansson.h
	@CC="$(CC)" .ci/need --optional pcap.h
	@touch $@

$(B)/have-test-tools: .ci/need
	@mkdir -p $(B)
	@CC="$(CC)" .ci/need cmocka.h xz
	@.ci/need --optional gcc g++ clang clang++ cmake pkg-config clang-format-14 zsh fish gdb clang-msan
	@touch $@

# A large download, for one test, which is skipped without it.
$(B)/have-windows-tools: .ci/need
	@mkdir -p $(B)
	@.ci/need --optional x86_64-w64-mingw32-gcc x86_64-w64-mingw32-g++ wine64
	@touch $@

$(B)/have-wireshark: .ci/need
	@mkdir -p $(B)
	@.ci/need --optional tshark
	@touch $@

# Compilers for other processors, and emulators that run their programs.
$(B)/have-cross-tools: .ci/need
	@mkdir -p $(B)
	@.ci/need --optional s390x-linux-gnu-gcc qemu-s390x-static
	@touch $@

$(B)/have-all-cross-tools: .ci/need | $(B)/have-cross-tools $(B)/have-windows-tools
	@.ci/need --optional aarch64-linux-gnu-gcc qemu-aarch64-static i686-linux-gnu-libc wasm-ld-14 node arm-none-eabi-gcc
	@touch $@

$(B)/have-builds-tools: .ci/need
	@mkdir -p $(B)
	@.ci/need --optional gcc clang arm-none-eabi-gcc
	@touch $@

# Without libpcap, pktc reads no recordings. Whether it is there is asked when a recipe runs, because the rule above may
# have installed it.
PCAP = $(shell printf '\#include <pcap.h>\n' | $(CC) -E -x c - >/dev/null 2>&1 && echo yes)
PCAP_FLAGS = $(if $(PCAP),-DPKTC_PCAP)
PCAP_LIBRARY = $(if $(PCAP),-lpcap)

# ---- generated sources

$(B)/made/lexer.c: compiler/front/lexer.re | $(B)/have-build-tools
	@mkdir -p $(@D)
	$(call say,RE2C)re2c -W -Werror --no-generation-date -i -o $@ $<

# lemon writes grammar.c and grammar.h in one run, which a pattern rule with two targets expresses. lemon does not
# touch a header whose text is unchanged. Without touch it would stay older than the grammar, and lemon would run in
# each make.
$(B)/made/gramma%.c $(B)/made/gramma%.h: compiler/front/gramma%.y | $(B)/have-build-tools
	@mkdir -p $(@D)
	$(call say,LEMON)lemon -q -l -d$(@D) $< && touch $(@D)/gramma$*.h

$(BUILD_PROGRAMS:%=$(B)/%): $(B)/%: compiler/dist/%.c
	@mkdir -p $(@D)
	$(call say,LD)$(CC) $(COMPILER_FLAGS) $(CFLAGS) -o $@ $<

# The runtime that pktc writes beside the generated files: one header, and a file that compiles its functions.
TWO_FILES := $(B)/made/pkt.h compiler/dist/runtime/pkt.c
RUNTIME_TITLE = pkt.h - the runtime of code generated by pktc $(VERSION). \
                Its functions are compiled in one file of a program, pkt.c.

$(B)/made/pkt.h: $(B)/amalgamate $(RUNTIME_FILES) LICENSE compiler/options/option_read.c
	@mkdir -p $(@D)
	$(call say,AMALGAMATE)$(B)/amalgamate -t '$(RUNTIME_TITLE)' -l LICENSE \
	    runtime/pkt.h > $@

$(B)/made/runtime_files.c: $(B)/embed $(TWO_FILES)
	@mkdir -p $(@D)
	$(call say,EMBED)$(B)/embed emit/runtime_file $(TWO_FILES) > $@

# What all dissectors of `pktc wireshark` have in common, each file after those that it uses; the last one comes behind
# the types of a schema.
LUA_FILES := $(patsubst %,compiler/dissect/%.lua,bits types fields baselines deltas coded schema packets)

$(B)/made/lua_files.c: $(B)/embed $(LUA_FILES)
	@mkdir -p $(@D)
	$(call say,EMBED)$(B)/embed dissect/lua_file $(LUA_FILES) > $@

# ---- objects, with and without sanitizers

$(B)/obj/compiler/%.o: compiler/%.c | $(B)/made/grammar.h
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(COMPILER_FLAGS) $(CFLAGS) -MMD -MP -c -o $@ $<

$(B)/obj/made/%.o: $(B)/made/%.c | $(B)/made/grammar.h
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(COMPILER_FLAGS) $(CFLAGS) -MMD -MP -c -o $@ $<

$(B)/obj/runtime/%.o: runtime/%.c
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(RUNTIME_FLAGS) $(SECTIONS) $(CFLAGS) -MMD -MP -c -o $@ $<

$(B)/san/compiler/%.o: compiler/%.c | $(B)/made/grammar.h
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(COMPILER_FLAGS) $(SANITIZE) -MMD -MP -c -o $@ $<

$(B)/san/made/%.o: $(B)/made/%.c | $(B)/made/grammar.h
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(COMPILER_FLAGS) $(SANITIZE) -MMD -MP -c -o $@ $<

$(B)/san/runtime/%.o: runtime/%.c
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(RUNTIME_FLAGS) $(SANITIZE) -MMD -MP -c -o $@ $<

# What uses libpcap.
$(B)/obj/compiler/record/recording.o $(B)/san/compiler/record/recording.o: COMPILER_FLAGS += $(PCAP_FLAGS)
$(B)/test/runtime/test_capture.o $(B)/san/test/runtime/test_capture.o $(B)/test/commands/test_recording.o \
$(B)/test/commands/test_report.o $(B)/test/commands/test_coded.o $(B)/test/commands/test_train.o $(B)/test/commands/test_convert_recording.o: \
    TEST_FLAGS += $(PCAP_FLAGS)

# All of pktc except main, for pktc and for the tests.
$(B)/obj/libpktc.a: $(PARTS:%=$(B)/obj/%.o)
	@rm -f $@
	$(call say,AR)$(AR) rcs $@ $^

$(B)/san/libpktc.a: $(PARTS:%=$(B)/san/%.o)
	@rm -f $@
	$(call say,AR)$(AR) rcs $@ $^

# Without -lm: `cc pktc.c -o pktc` must be enough.
$(B)/pktc: $(B)/obj/compiler/main.o $(B)/obj/libpktc.a
	$(call say,LD)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ -ljansson $(PCAP_LIBRARY)

$(B)/san/pktc: $(B)/san/compiler/main.o $(B)/san/libpktc.a
	$(call say,LD)$(CC) $(SANITIZE) $(LDFLAGS) -o $@ $^ -ljansson -lm $(PCAP_LIBRARY)

# ---- tests: unit tests run with and without sanitizers; drivers run programs

DRIVERS := check/test_errors commands/test_archive commands/test_cli commands/test_convert_recording \
           commands/test_faults commands/test_recording commands/test_report commands/test_targets commands/test_tools \
           commands/test_coded commands/test_train \
           commands/test_upgrade commands/test_wireshark emit/test_compile emit/test_files emit/test_golden \
           emit/test_names emit/test_reserved codec/test_codec diff/test_diff scale/test_scale
UNIT_TESTS := $(patsubst tests/%.c,%,$(filter-out $(DRIVERS:%=tests/%.c), \
                $(wildcard $(ROOMS:%=tests/%/test_*.c) tests/runtime/test_*.c)))
ROUND_TRIPS := $(patsubst tests/%.c,%,$(wildcard tests/roundtrip/test_*.c))
VECTOR_FILES := $(wildcard tests/data/*.txt tests/data/*.jsonl)
VECTOR_NAMES := $(notdir $(VECTOR_FILES))
EXAMPLES := $(wildcard schemas/*.pkt tests/roundtrip/*.pkt)

PACKAGING := install sections cmake dist recipes completion cplusplus bound windows example
UPGRADES := upgrade-pairs upgrade-mygame upgrade-all upgrade-hooks
GENERATED := generated-gcc generated-clang generated-analyzer generated-programs
SLOW_DRIVERS := commands/test_archive commands/test_faults commands/test_targets emit/test_compile diff/test_diff \
                scale/test_scale
# QUICK takes seconds. LONG takes minutes, because generated code is compiled and run. The longest tests come first,
# so that none of them runs alone at the end.
QUICK := arrows one-file format docs searchable commented generated-golden $(filter-out $(SLOW_DRIVERS),$(DRIVERS)) $(UNIT_TESTS)
LONG := $(GENERATED) $(VECTOR_NAMES:%=vectors/%) everything cross address differential nested predicted dissect $(ROUND_TRIPS) \
        $(PACKAGING) $(UPGRADES) fuzzers memory warnings cubes advice debugger families $(SLOW_DRIVERS) \
        $(UNIT_TESTS:%=san/%)
LOGS := $(QUICK:%=$(B)/log/%.log) $(LONG:%=$(B)/log/%.log)
RUN := BUILD=$(B) CC="$(CC)" tests/report run
DRIVER_PATHS := PKTC=$(B)/pktc PKTC_SANITIZED=$(B)/san/pktc SCRATCH=$(B)/scratch GOLDEN=$(B)/golden

$(B)/test/%.o: tests/%.c | $(B)/made/grammar.h $(B)/have-test-tools
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(TEST_FLAGS) $(CFLAGS) -MMD -MP -c -o $@ $<

$(B)/san/test/%.o: tests/%.c | $(B)/made/grammar.h $(B)/have-test-tools
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(TEST_FLAGS) $(SANITIZE) -MMD -MP -c -o $@ $<

$(UNIT_TESTS:%=$(B)/test/%): $(B)/test/%: $(B)/test/%.o $(B)/obj/libpktc.a
	$(call say,LD)$(CC) $(CFLAGS) -pthread -o $@ $^ -lcmocka -ljansson -lm $(PCAP_LIBRARY)

$(UNIT_TESTS:%=$(B)/san/test/%): $(B)/san/test/%: $(B)/san/test/%.o $(B)/san/libpktc.a
	$(call say,LD)$(CC) $(SANITIZE) -pthread -o $@ $^ -lcmocka -ljansson -lm $(PCAP_LIBRARY)

$(B)/test/scale/test_scale: $(B)/test/scale/families.o
$(DRIVERS:%=$(B)/test/%): $(B)/test/%: $(B)/test/%.o $(B)/test/process.o $(B)/obj/libpktc.a
	$(call say,LD)$(CC) $(CFLAGS) -o $@ $^ -lcmocka -ljansson -lm $(PCAP_LIBRARY)

# The example schemas and those of the round trips as C, with the runtime that pktc writes: what a user's program
# compiles. Of the headers of round trips, it includes one; the others are here because the tests are made again after this.
$(B)/schemas/stamp: $(B)/pktc $(EXAMPLES) $(wildcard tests/roundtrip/*.h)
	@rm -rf $(@D) && mkdir -p $(@D)
	@cp tests/roundtrip/mathlib.h $(@D)
	$(call say,PKTC)$(B)/pktc --reflect -o $(@D) $(EXAMPLES)
	@touch $@

# All that pktc writes for the schemas of tests/emit/golden, a directory for each.
$(B)/golden/stamp: $(B)/test/emit/test_golden $(B)/pktc $(wildcard tests/emit/golden/*.pkt tests/emit/releases/*/*.pkt)
	@rm -rf $(@D) && mkdir -p $(@D)
	$(call say,PKTC)$(DRIVER_PATHS) $< --all $(@D)
	@touch $@

# Compiled once for all round trips, with sanitizers. all.pkt, which has every construct, would take minutes with
# them.
EXAMPLE_NAMES := $(basename $(notdir $(EXAMPLES)))
EXAMPLE_OBJECTS := $(patsubst %,$(B)/schemas/%.o,$(EXAMPLE_NAMES) $(EXAMPLE_NAMES:%=%_reflect) pkt)
EXAMPLE_SANITIZE = $(SANITIZE)
$(B)/schemas/all.o: EXAMPLE_SANITIZE = -O1
$(EXAMPLE_OBJECTS): $(B)/schemas/stamp
	$(call say,CC)$(CC) -std=c99 -Wall -Wextra $(EXAMPLE_SANITIZE) -c -o $@ $(@:.o=.c)

$(B)/schemas/libschemas.a: $(EXAMPLE_OBJECTS)
	@rm -f $@
	$(call say,AR)$(AR) rcs $@ $^

$(ROUND_TRIPS:%=$(B)/test/%): $(B)/test/%: tests/%.c $(B)/schemas/libschemas.a | $(B)/have-test-tools
	@mkdir -p $(@D)
	$(call say,LD)$(CC) -std=c11 -D_POSIX_C_SOURCE=200809L -Wall -Wextra -I$(B)/schemas $(SANITIZE) -o $@ $^ -lcmocka -lm

$(B)/vectors: $(patsubst tests/%.c,$(B)/test/%.o,$(wildcard tests/interop/*.c)) $(B)/obj/libpktc.a
	$(call say,LD)$(CC) $(CFLAGS) -o $@ $^ -ljansson -lm

PROGRAMS := $(UNIT_TESTS:%=$(B)/log/%.log) $(ROUND_TRIPS:%=$(B)/log/%.log)
.PHONY: $(LOGS)

OBJECTS := $(PARTS:%=$(B)/obj/%.o) $(B)/obj/compiler/main.o
$(B)/log/arrows.log: $(OBJECTS)
	@$(RUN) $@ tests/arrows.sh $(OBJECTS)

# Names that are private to a file or a room may be the same elsewhere, but not in pktc.c.
$(B)/log/one-file.log: $(B)/dist/pktc.c
	@$(RUN) $@ tests/one_file.sh $<

$(B)/log/docs.log: $(B)/pktc
	@PKTC=$(B)/pktc $(RUN) $@ tests/docs.sh $(B)/docs

$(B)/log/searchable.log: $(B)/golden/stamp
	@$(RUN) $@ tests/emit/searchable.sh $(B)/golden

$(B)/log/commented.log: $(B)/pktc
	@PKTC=$(B)/pktc $(RUN) $@ tests/emit/commented.sh $(B)/commented

$(B)/log/format.log: $(B)/have-test-tools
	@$(RUN) $@ tests/format.sh

$(B)/log/emit/test_compile.log: $(B)/golden/stamp

$(PROGRAMS): $(B)/log/%.log: $(B)/test/%
	@$(RUN) $@ $<

$(UNIT_TESTS:%=$(B)/log/san/%.log): $(B)/log/san/%.log: $(B)/san/test/%
	@$(RUN) $@ $<

$(DRIVERS:%=$(B)/log/%.log): $(B)/log/%.log: $(B)/test/% $(B)/pktc $(B)/san/pktc
	@$(DRIVER_PATHS) $(RUN) $@ $<

$(VECTOR_NAMES:%=$(B)/log/vectors/%.log): $(B)/log/vectors/%.log: $(B)/vectors $(B)/pktc
	@$(RUN) $@ $(call vectors,tests/data/$*)

$(B)/differential: $(patsubst tests/%.c,$(B)/test/%.o,$(wildcard tests/fuzz/*.c)) $(B)/obj/libpktc.a
	$(call say,LD)$(CC) $(CFLAGS) -o $@ $^ -ljansson -lm -ldl

# Packets of older versions: generated code against pktc convert.
UPGRADE := tests/upgrade/upgrade_cases.c tests/fuzz/values.c tests/process.c
$(B)/upgrade_cases: $(UPGRADE:tests/%.c=$(B)/test/%.o) $(B)/obj/libpktc.a
	$(call say,LD)$(CC) $(CFLAGS) -o $@ $^ -ljansson -lm

UPGRADED := PKTC=$(B)/pktc CC="$(CC)" tests/upgrade/run.sh $(B)/upgrade_cases
$(B)/log/upgrade-pairs.log: $(B)/upgrade_cases $(B)/pktc
	@$(RUN) $@ env $(UPGRADED) $(B)/upgraded/pairs pairs

$(B)/log/upgrade-all.log: $(B)/upgrade_cases $(B)/pktc
	@$(RUN) $@ env $(UPGRADED) $(B)/upgraded/all all

$(B)/log/upgrade-hooks.log: $(B)/upgrade_cases $(B)/pktc
	@$(RUN) $@ env $(UPGRADED) $(B)/upgraded/hooks hooks

$(B)/log/upgrade-mygame.log: $(B)/upgrade_cases $(B)/pktc
	@$(RUN) $@ env $(UPGRADED) $(B)/upgraded/mygame releases tests/upgrade/releases tests/upgrade/mygame.pkt

# Lua for Wireshark against the codec, in tshark.
DISSECT := $(wildcard tests/dissect/dissect*.c) tests/fuzz/values.c tests/fuzz/schemas.c tests/fuzz/schemas_fields.c \
           tests/interop/vectors_read.c tests/interop/vectors_text.c
$(B)/dissect: $(DISSECT:tests/%.c=$(B)/test/%.o) $(B)/obj/libpktc.a
	$(call say,LD)$(CC) $(CFLAGS) -o $@ $^ -ljansson -lm

$(B)/recorded: $(patsubst %,$(B)/test/dissect/%.o,recorded dissect_tree dissect_expected) $(B)/obj/libpktc.a
	$(call say,LD)$(CC) $(CFLAGS) -o $@ $^ -ljansson -lm $(PCAP_LIBRARY)

$(B)/log/dissect.log: $(B)/dissect $(B)/pktc $(B)/have-wireshark
	@$(RUN) $@ env PKTC=$(B)/pktc tests/dissect/run.sh $< $(B)/dissected

# A fixed sample: its 40 schemas together have every combination of constructs.
$(B)/log/differential.log: $(B)/differential
	@$(RUN) $@ tests/fuzz/run.sh sample $< $(B)/fuzz/sample --schemas 40 --cases 1000 --share 40

# Everything with the address sanitizer, generated code too. At -O1 it sees accesses of several bytes past the end.
$(B)/san/differential: $(patsubst tests/%.c,$(B)/san/test/%.o,$(wildcard tests/fuzz/*.c)) $(B)/san/libpktc.a
	$(call say,LD)$(CC) $(SANITIZE) -o $@ $^ -ljansson -lm -ldl

$(B)/log/address.log: $(B)/san/differential
	@CC="$(CC)" $(RUN) $@ tests/fuzz/run.sh address $< $(B)/fuzz/address --schemas 6 --cases 400 --seed 779

# What random schemas seldom have: sparse arrays, refs and unions nested several levels deep.
$(B)/log/nested.log: $(B)/differential
	@$(RUN) $@ tests/fuzz/run.sh sample $< $(B)/fuzz/nested --schema tests/fuzz/nested.pkt --cases 40000

# Every form of coded fields, and baselines that are predicted, which random schemas have not.
$(B)/log/predicted.log: $(B)/differential
	@$(RUN) $@ tests/fuzz/run.sh sample $< $(B)/fuzz/predicted --schema tests/roundtrip/coded.pkt --cases 8000

# One of each construct. make mutate checks that this test notices mistakes.
$(B)/log/everything.log: $(B)/differential
	@$(RUN) $@ tests/fuzz/run.sh sample $< $(B)/fuzz/everything --schema schemas/all.pkt --cases 240000

$(B)/log/warnings.log: $(MADE_NAMES:%=$(B)/made/%.c) $(B)/have-test-tools
	@$(RUN) $@ tests/warnings.sh "$(COMPILER_FLAGS)" "$(RUNTIME_FLAGS)"

$(B)/log/generated-golden.log: $(B)/golden/stamp $(wildcard runtime/*.h) $(B)/have-test-tools
	@$(RUN) $@ tests/emit/generated.sh golden $(B)/schemas $(B)/golden/*/

$(GENERATED:%=$(B)/log/%.log): $(B)/log/generated-%.log: $(B)/schemas/stamp $(B)/golden/stamp $(B)/have-test-tools
	@CC="$(CC)" $(RUN) $@ tests/emit/generated.sh $* $(B)/schemas $(B)/golden/*/

$(B)/log/debugger.log: $(B)/pktc $(B)/have-test-tools
	@CC="$(CC)" PKTC=$(B)/pktc $(RUN) $@ tests/emit/debugger.sh $(B)/debugger

# Schemas of twice the size make at most twice the code: they are at 1.6 to 2.0.
$(B)/log/families.log: $(B)/pktc $(B)/have-test-tools
	@$(RUN) $@ env PKTC=$(B)/pktc BUILD=$(B)/packaging/families tests/bench/families.sh 2.05

# Tests of building and installing. Each builds a small game in its own directory.
PACKAGING_DIR = $(B)/packaging/$(@F:%.log=%)

$(B)/log/install.log: $(B)/pktc $(B)/libpkt.a $(B)/have-test-tools
	@MAKE="$(MAKE)" $(RUN) $@ tests/dist/install.sh $(PACKAGING_DIR)

$(B)/log/sections.log: $(B)/pktc $(B)/libpkt.a $(B)/have-test-tools
	@PKTC=$(B)/pktc LIBRARY=$(B)/libpkt.a $(RUN) $@ tests/dist/sections.sh $(PACKAGING_DIR)

$(B)/log/cmake.log: $(B)/pktc $(B)/libpkt.a $(B)/have-test-tools
	@MAKE="$(MAKE)" PKTC=$(B)/pktc $(RUN) $@ tests/dist/cmake.sh $(PACKAGING_DIR)

$(B)/log/dist.log: $(B)/pktc dist $(B)/have-test-tools
	@$(DRIVER_PATHS) $(RUN) $@ tests/dist/dist.sh $(PACKAGING_DIR) $(B)/dist

$(B)/log/recipes.log: $(B)/pktc $(B)/have-test-tools
	@MAKE="$(MAKE)" $(DRIVER_PATHS) $(RUN) $@ tests/dist/recipes.sh $(PACKAGING_DIR)

$(B)/log/completion.log: $(B)/pktc $(B)/have-test-tools
	@$(DRIVER_PATHS) $(RUN) $@ tests/dist/completion.sh $(PACKAGING_DIR)

$(B)/log/cplusplus.log: $(B)/schemas/stamp $(B)/have-test-tools
	@$(RUN) $@ tests/dist/cplusplus.sh $(PACKAGING_DIR) $(B)/schemas

$(B)/log/bound.log: $(B)/pktc
	@$(RUN) $@ tests/dist/bound.sh $(PACKAGING_DIR) $(B)/pktc

$(B)/log/windows.log: $(B)/pktc dist $(B)/schemas/stamp $(B)/have-test-tools $(B)/have-windows-tools
	@$(DRIVER_PATHS) $(RUN) $@ tests/dist/windows.sh $(PACKAGING_DIR) $(B)/dist $(B)/schemas

$(B)/log/example.log: $(B)/example/server $(B)/example/bots $(B)/example/spectator $(B)/recorded $(B)/have-wireshark
	@PKTC=$(B)/pktc COMPARE=$(B)/recorded $(RUN) $@ tests/dist/example.sh $(B)/example $(PACKAGING_DIR)

CROSS := VECTORS=$(B)/vectors DIFFERENTIAL=$(B)/differential $(DRIVER_PATHS) tests/cross/cross.sh
$(B)/log/cross.log: $(B)/vectors $(B)/differential $(B)/pktc $(B)/have-cross-tools
	@SCHEMAS=1 CC="$(CC)" $(RUN) $@ env $(CROSS) $(B)/cross-sample s390x native

cross: $(B)/vectors $(B)/differential $(B)/pktc $(B)/have-all-cross-tools
	@SCHEMAS=12 REQUIRED=1 CC="$(CC)" $(CROSS) $(B)/cross

TIME = 60
FUZZED := $(COMPILER_NAMES:%=compiler/%.c) $(MADE_NAMES:%=$(B)/made/%.c) $(RUNTIME_NAMES:%=runtime/%.c)
GOLDEN := subsets choice deltas coded fit
TARGETS := schemas/mygame.pkt schemas/cubes.pkt schemas/all.pkt $(GOLDEN:%=tests/emit/golden/%.pkt) \
           tests/fuzz/libfuzzer/trained.pkt tests/upgrade/mygame.pkt pktc
FUZZ := PKTC=$(B)/pktc FLAGS="$(INCLUDES)" tests/fuzz/libfuzzer/fuzz.sh
fuzz: $(B)/pktc
	@.ci/need clang
	@LIBRARY="$(FUZZED) -ljansson" $(FUZZ) fuzz $(B)/fuzz $(TIME) $(TARGETS)

fuzz-refresh:
	@$(FUZZ) keep $(B)/fuzz 96 $(TARGETS)

$(B)/log/fuzzers.log: $(B)/pktc $(B)/san/libpktc.a
	@LIBRARY=$(B)/san/libpktc.a CC="$(CC)" $(RUN) $@ env $(FUZZ) sample $(B)/fuzz-sample 5000 $(TARGETS)

# What reads leave of the memory that they read into. A state of 901 cubes takes the sanitizer too long.
$(B)/log/memory.log: $(B)/pktc $(B)/have-test-tools
	@$(RUN) $@ env $(FUZZ) memory $(B)/fuzz-memory 20000 $(filter-out pktc %/cubes.pkt,$(TARGETS))

prove: $(B)/pktc
	@.ci/need frama-c why3 z3 cvc4
	@PKTC=$(B)/pktc tests/prove/run.sh $(B)/prove

SAMPLE = 100
MUTATED = runtime generated wire
$(B)/test/mutate/mutator: tests/mutate/mutator.c
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(TEST_FLAGS) $(CFLAGS) -o $@ $<

MUTATE_DRIVERS := $(filter-out commands/test_faults commands/test_targets emit/test_compile scale/%,$(DRIVERS))
mutate: $(B)/pktc $(B)/san/pktc $(B)/differential $(B)/vectors $(B)/upgrade_cases $(B)/test/mutate/mutator \
        $(B)/schemas/stamp $(MUTATE_DRIVERS:%=$(B)/test/%) $(UNIT_TESTS:%=$(B)/test/%.o)
	@BUILD=$(B) CC="$(CC)" FLAGS="$(INCLUDES) -DPKTC_JSON $(PCAP_FLAGS)" LIBRARIES="-lcmocka -ljansson -lm $(PCAP_LIBRARY)" \
	    DRIVERS="$(MUTATE_DRIVERS)" UNIT_TESTS="$(UNIT_TESTS)" \
	    tests/mutate/mutate.sh $(B)/mutate $(SAMPLE) $(SEED) $(MUTATED)

$(B)/log/advice.log: $(B)/pktc $(B)/cubes/trace tests/traffic/record_cubes.c
	@PKTC=$(B)/pktc $(RUN) $@ tests/traffic/cubes.sh $(B)/advice $(B)/cubes/trace
$(B)/log/cubes.log: $(B)/cubes/cubes $(B)/cubes/trace $(B)/cubes/trained1 $(B)/cubes/trained2 $(B)/cubes/trace2
	@$(RUN) $@ tests/bench/cubes.sh $(B)/cubes

# Fuzzers run for minutes, but whether they compile is known in seconds.
check: $(QUICK:%=$(B)/log/%.log) | $(patsubst tests/%.c,$(B)/test/%.o,$(wildcard tests/fuzz/*.c tests/fuzz/libfuzzer/fuzz_pktc.c))
	@BUILD=$(B) tests/report total $^

test: $(LOGS)
	@BUILD=$(B) tests/report total $^

# Targets for single tests: check-num for base/test_num, test-mygame for roundtrip/test_mygame, test-cmake for cmake.
part_name = $(patsubst test_%,%,$(notdir $1))
define part
.PHONY: $1-$(call part_name,$2)
$1-$(call part_name,$2): $(B)/log/$2.log
	@BUILD=$(B) tests/report total $$<
endef
$(foreach name,$(QUICK),$(eval $(call part,check,$(name))))
$(foreach name,$(filter-out san/%,$(LONG)),$(eval $(call part,test,$(name))))

vectors = env PKTC=$(B)/pktc VECTORS=$(B)/vectors CC="$(CC)" BUILD=$(B)/interop tests/interop/run.sh $(1)
vectors: $(B)/vectors $(B)/pktc
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

format:
	@tests/format.sh --fix

docs-refresh: $(B)/pktc
	@PKTC=$(B)/pktc tests/docs.sh --refresh $(B)/docs

errors-refresh: $(B)/test/check/test_errors $(B)/san/pktc
	$(DRIVER_PATHS) $< --refresh

golden-refresh: $(B)/test/emit/test_golden $(B)/pktc
	$(DRIVER_PATHS) $< --refresh

tools-refresh: $(B)/test/commands/test_tools $(B)/test/commands/test_wireshark $(B)/san/pktc
	$(DRIVER_PATHS) $< --refresh
	$(DRIVER_PATHS) $(B)/test/commands/test_wireshark --refresh

codec-refresh: $(B)/test/codec/test_codec $(B)/san/pktc
	$(DRIVER_PATHS) $< --refresh

diff-refresh: $(B)/test/diff/test_diff $(B)/san/pktc
	$(DRIVER_PATHS) $< --refresh

# ---- the example: the second command in the README

EXAMPLE_FLAGS := -std=gnu99 $(WARNINGS) -Ischemas/example -I$(B)/example/generated
EXAMPLE_CXX_FLAGS := -std=c++17 $(filter-out -std=% -Wmissing-prototypes -Wstrict-prototypes,$(EXAMPLE_FLAGS))
EXAMPLE_SCHEMAS := $(wildcard schemas/example/*.pkt)
EXAMPLE_GENERATED := $(EXAMPLE_SCHEMAS:schemas/example/%.pkt=$(B)/example/%.o) $(B)/example/pkt.o
EXAMPLE_SHARED := events inputs udp
EXAMPLE_SERVER := server admission numbers recorder snapshots world $(EXAMPLE_SHARED)
EXAMPLE_CAPTURES := $(EXAMPLE_SCHEMAS:schemas/example/%.pkt=$(B)/example/%_capture.o)
EXAMPLE_BOTS := bots client bad_network $(EXAMPLE_SHARED)

$(B)/example/generated/stamp: $(B)/pktc $(EXAMPLE_SCHEMAS) \
        $(wildcard schemas/example/*.model schemas/example/releases/*.pkt)
	@rm -rf $(@D) && mkdir -p $(@D)
	$(call say,PKTC)$(B)/pktc --capture --upgrade schemas/example/releases -o $(@D) $(EXAMPLE_SCHEMAS)
	@touch $@

$(EXAMPLE_GENERATED) $(EXAMPLE_CAPTURES): $(B)/example/%.o: $(B)/example/generated/stamp
	$(call say,CC)$(CC) $(EXAMPLE_FLAGS) $(CFLAGS) -c -o $@ $(B)/example/generated/$*.c

$(sort $(EXAMPLE_SERVER:%=$(B)/example/%.o) $(EXAMPLE_BOTS:%=$(B)/example/%.o)): $(B)/example/%.o: \
        schemas/example/%.c $(wildcard schemas/example/*.h) $(B)/example/generated/stamp
	$(call say,CC)$(CC) $(EXAMPLE_FLAGS) $(CFLAGS) -c -o $@ $<

$(B)/example/server: $(EXAMPLE_SERVER:%=$(B)/example/%.o) $(EXAMPLE_GENERATED) $(EXAMPLE_CAPTURES)
$(B)/example/bots: $(EXAMPLE_BOTS:%=$(B)/example/%.o) $(EXAMPLE_GENERATED)
$(B)/example/server $(B)/example/bots:
	$(call say,LD)$(CC) $(CFLAGS) -o $@ $^ -lm

# A client in C++, which the example does without if there is no compiler for it.
$(B)/example/spectator: schemas/example/spectator.cpp $(EXAMPLE_SHARED:%=$(B)/example/%.o) $(EXAMPLE_GENERATED)
	$(call say,LD)! command -v $(CXX) >/dev/null || $(CXX) $(EXAMPLE_CXX_FLAGS) $(CFLAGS) -o $@ $^

example: $(B)/example/server $(B)/example/bots $(B)/example/spectator
	@schemas/example/run.sh $(B)/example

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

# The rest of docs/images is photographed: see docs/hacking.md.
pictures: $(B)/cubes/cubes $(B)/cubes/trained1 $(B)/cubes/trace $(B)/pktc
	@PKTC=$(B)/pktc tests/pictures.sh bits $(B)/pictures > docs/images/bits.svg
	@$< $(B)/cubes/trace > $(B)/cubes/printed
	@$(B)/cubes/trained1 $(B)/cubes/trace 190 'coded by a model' >> $(B)/cubes/printed
	@tests/pictures.sh cubes $(B)/cubes/printed > docs/images/cubes.svg

# ---- the rest

$(B)/gen_large $(B)/cost: $(B)/%: tests/bench/%.c
	@mkdir -p $(@D)
	$(call say,LD)$(CC) $(TEST_FLAGS) $(CFLAGS) -o $@ $<

BENCH := PKTC=$(B)/pktc BUILD=$(B)/bench tests/bench/run.sh
BUILDS := PKTC=$(B)/pktc BUILD=$(B)/builds CC="$(CC)" tests/bench/builds.sh && echo && \
          PKTC=$(B)/pktc BUILD=$(B)/families tests/bench/families.sh
bench: $(B)/pktc $(B)/gen_large $(B)/cost $(B)/have-builds-tools
	@$(BENCH) time $(MESSAGE)
	@$(B)/gen_large > $(B)/large.pkt
	@printf '\npktc, seconds and MB: %s %s\n' "$$(wc -l $(B)/large.pkt)" "$$($(B)/cost $(B)/pktc -o $(B)/large $(B)/large.pkt)"
	$(if $(MESSAGE),,@$(BUILDS))

builds: $(B)/pktc $(B)/have-builds-tools
	@$(BUILDS)

bench-instructions: $(B)/pktc
	@$(BENCH) instructions $(MESSAGE)

# ---- pktc as one C file and one header

VERSION = $(shell sed -n 's/^\#define PKTC_VERSION "\(.*\)"/\1/p' compiler/options/option_read.c)
ONE_FILE := $(COMPILER_NAMES:%=compiler/%.c) $(MADE_NAMES:%=$(B)/made/%.c) compiler/main.c

dist: $(B)/dist/pktc.c $(B)/dist/pkt.h $(B)/dist/pkt.c

$(B)/dist/pktc.c: $(B)/amalgamate $(ONE_FILE) $(wildcard compiler/*.h compiler/*/*.h) $(RUNTIME_FILES) LICENSE
	@mkdir -p $(@D)
	$(call say,DIST)$(B)/amalgamate -t 'pktc $(VERSION): cc pktc.c -o pktc' -l LICENSE -d '_POSIX_C_SOURCE 200809L' \
	    -d '__USE_MINGW_ANSI_STDIO 1' -d PKT_IMPLEMENTATION -I compiler -I runtime -I $(B)/made \
	    runtime/pkt.h $(ONE_FILE) > $@

$(B)/dist/pkt.h $(B)/dist/pkt.c: $(B)/dist/%: $(TWO_FILES)
	@mkdir -p $(@D)
	$(call say,DIST)cp $(filter %/$*,$(TWO_FILES)) $@

# ---- installing

$(B)/libpkt.a: $(RUNTIME_NAMES:%=$(B)/obj/runtime/%.o)
	@rm -f $@
	$(call say,AR)$(AR) rcs $@ $^

CMAKE_FILES := compiler/dist/install/pktcConfig.cmake compiler/dist/install/pktc_generate.cmake
COMPLETION := compiler/dist/install/completion
to = $(DESTDIR)$(prefix)
install: $(B)/pktc $(B)/libpkt.a
	mkdir -p $(to)/bin $(to)/include/pktc $(to)/lib/pkgconfig $(to)/share/man/man1 $(to)/share/cmake/pktc \
	    $(to)/share/pktc/runtime
	cp $(B)/pktc $(to)/bin/
	cp runtime/*.h $(to)/include/pktc/
	cp $(B)/libpkt.a $(to)/lib/
	cp $(RUNTIME_FILES) $(to)/share/pktc/runtime/
	cp docs/pktc.1 $(to)/share/man/man1/
	mkdir -p $(to)/share/bash-completion/completions $(to)/share/zsh/site-functions $(to)/share/fish/vendor_completions.d
	cp $(COMPLETION)/pktc.bash $(to)/share/bash-completion/completions/pktc
	cp $(COMPLETION)/_pktc $(to)/share/zsh/site-functions/
	cp $(COMPLETION)/pktc.fish $(to)/share/fish/vendor_completions.d/
	cp $(CMAKE_FILES) $(to)/share/cmake/pktc/
	sed 's|@PROJECT_VERSION@|$(VERSION)|' compiler/dist/install/pktcConfigVersion.cmake.in \
	    > $(to)/share/cmake/pktc/pktcConfigVersion.cmake
	sed 's|@PROJECT_VERSION@|$(VERSION)|; s|@CMAKE_INSTALL_PREFIX@|$(prefix)|' compiler/dist/install/pktc.pc.in \
	    > $(to)/lib/pkgconfig/pktc.pc

clean:
	rm -rf $(B)

-include $(wildcard $(B)/*/*/*.d $(B)/*/*/*/*.d)
