# Makefile - builds pktc and the example, installs pktc. Everything it makes is in build/.
# SPDX-License-Identifier: MIT
#
#   make                    build/pktc
#   make deps [GOAL...]     installs the tools that the goals need, with apt-get, and then makes the goals; without a
#                           goal, the tools of the build and of make test. No other goal installs anything
#   make example            a server and 64 clients on a bad network, from schemas/example; takes a few seconds
#   make check              the quick tests, in seconds; tests/tests.mk lists all goals that test
#   make test               all tests, in minutes
#   make bench              speed and size; tests/bench/bench.mk lists all goals that measure
#   make dist               build/dist: pktc as one C file, its runtime as pkt.h, pkt_inside.h and pkt.c
#   make vsix               build/pkt.vsix: the extension for VS Code; npm fetches what it needs
#   make web                build/web/index.html: the page to try the language on. npm fetches the editor, and apt-get the
#                           sources of jansson; JANSSON_SOURCE= names a folder of your own
#   make install            installs into $(DESTDIR)$(prefix): pktc, manual page, shell completion, and the runtime for
#                           pkg-config and CMake; the library into $(libdir)
#   make deb                build/deb: packages for Debian, of what is committed
#   make package-NAME       makes and tests the package for one system, as far as it runs here: debian, cmake, meson,
#                           homebrew, vcpkg, conan, nix, docker, dist; make packages does all. See share/packaging
#   make help               prints this
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

# ---- tools, by the names that .ci/need knows

BUILD_TOOLS := cc re2c lemon jansson.h
TEST_TOOLS := cmocka.h patch xz
PROVE_TOOLS := frama-c why3 z3 cvc4
ROUNDTRIP_TOOLS := clang python3 cadical
WEB_TOOLS := clang-wasi node npm dpkg-source
DEB_TOOLS := git build-essential dpkg-buildpackage dh $(BUILD_TOOLS) zlib.h zstd.h
# The tools of make package-NAME, and in EXTRAS_NAME those without which a part of it is skipped.
PACKAGES := debian cmake meson homebrew vcpkg conan nix docker dist
TOOLS_debian := $(DEB_TOOLS) lintian pkg-config
EXTRAS_debian := debootstrap piuparts autopkgtest
TOOLS_cmake := $(BUILD_TOOLS) cmake
EXTRAS_cmake := g++
TOOLS_meson := $(BUILD_TOOLS) meson
TOOLS_homebrew := $(BUILD_TOOLS) ruby
EXTRAS_homebrew := rubocop
TOOLS_vcpkg := $(BUILD_TOOLS) cmake
TOOLS_conan := $(BUILD_TOOLS) python3
TOOLS_nix := $(BUILD_TOOLS) git nix
TOOLS_docker := $(BUILD_TOOLS) git debootstrap
TOOLS_dist := $(BUILD_TOOLS)
# Without zlib.h or zstd.h, pktc reads no recordings that are compressed so. Without one of the others, tests are skipped.
BUILD_EXTRAS := zlib.h zstd.h
TEST_EXTRAS := pcap.h gcc g++ clang clang++ cmake meson pkg-config clang-format-14 zsh fish gdb clang-msan valgrind strace tshark enet/enet.h mcs \
               x86_64-w64-mingw32-gcc x86_64-w64-mingw32-g++ wine64 libwine-dev lld-link-14 \
               s390x-linux-gnu-gcc qemu-s390x-static dask-scheduler tree_sitter/api.h X11/Xlib.h ninja nvim node npm \
               clang-wasi dpkg-source chromium
MUTATE_EXTRAS := tcc
MATCH_EXTRAS := openarena-088-data openarena-081-misc unzip valgrind
CROSS_EXTRAS := aarch64-linux-gnu-gcc qemu-aarch64-static i686-linux-gnu-libc clang-wasi arm-none-eabi-gcc
need = CC="$(CC)" GOALS="$(MAKECMDGOALS)" .ci/need

ifneq (,$(filter deps,$(MAKECMDGOALS)))
# Another make makes the goals, after deps whatever -j says, and finds the new tools.
GOALS := $(filter-out deps,$(MAKECMDGOALS))
TESTS := $(filter-out all help example dist vsix web install deb packages package-% bare match clean,$(or $(GOALS),test))
PACKAGED := $(patsubst package-%,%,$(filter package-%,$(GOALS)) $(if $(filter packages,$(GOALS)),$(PACKAGES:%=package-%)))
EXTRAS := $(BUILD_EXTRAS) $(foreach name,$(PACKAGED),$(EXTRAS_$(name))) $(if $(TESTS),$(TEST_EXTRAS)) $(if $(filter cross bench builds,$(GOALS)),$(CROSS_EXTRAS)) \
          $(if $(filter mutate soak,$(GOALS)),$(MUTATE_EXTRAS)) $(if $(filter match,$(GOALS)),$(MATCH_EXTRAS))
.PHONY: deps $(GOALS)
deps:
	@$(need) --install $(BUILD_TOOLS) $(if $(TESTS),$(TEST_TOOLS)) $(if $(filter prove,$(GOALS)),$(PROVE_TOOLS)) \
	    $(if $(filter prove-roundtrips,$(GOALS)),$(ROUNDTRIP_TOOLS)) \
	    $(if $(filter deb,$(GOALS)),$(DEB_TOOLS)) $(foreach name,$(PACKAGED),$(TOOLS_$(name))) \
	    $(if $(filter bare,$(GOALS)),$(TOOLS_docker)) $(if $(filter web,$(GOALS)),$(WEB_TOOLS))
	@$(need) --install --optional $(EXTRAS)
$(firstword $(GOALS)): deps
	@$(MAKE) $(GOALS)
$(wordlist 2,$(words $(GOALS)),$(GOALS)): $(firstword $(GOALS))
	@:
else

# -g1 is for backtraces; -g would take a quarter more time. To look at variables: make CFLAGS='-O0 -g'.
CFLAGS ?= -O2 -g1
prefix ?= /usr/local
libdir ?= $(prefix)/lib

B := build
# What is being made; make V=1 shows the commands instead.
say = $(if $(V),,@echo '$(1) $@' &&)
WARNINGS := -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wcast-qual -Wmissing-prototypes \
            -Wstrict-prototypes
SANITIZE := -g1 -O1 -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all
INCLUDES := -Icompiler -Icompiler/workshops -Iruntime -Itests -I$(B)/made
has = $(shell printf '\#include <$1>\n' | $(CC) -E -x c - >/dev/null 2>&1 && echo yes)
ZLIB := $(call has,zlib.h)
ZSTD := $(call has,zstd.h)
RECORD_FLAGS := $(ZLIB:yes=-DPKTC_ZLIB) $(ZSTD:yes=-DPKTC_ZSTD)
RECORD_LIBRARIES := $(ZLIB:yes=-lz) $(ZSTD:yes=-lzstd)
# A switch over kinds has no default, so that a missing case is an error.
COMPILER_FLAGS := -std=c11 -D_POSIX_C_SOURCE=200809L -DPKTC_JSON $(RECORD_FLAGS) $(WARNINGS) -Werror=switch \
                  -Werror=implicit-function-declaration $(INCLUDES)
RUNTIME_FLAGS := -std=c99 $(WARNINGS) -Wfloat-conversion -Iruntime
# A program that links to libpkt.a with -Wl,--gc-sections has only those functions of the runtime that it calls.
SECTIONS := -ffunction-sections -fdata-sections

RUNTIME_FILES := $(wildcard runtime/*.h runtime/*.c)
RUNTIME_NAMES := $(patsubst runtime/%.c,%,$(wildcard runtime/*.c))
BUILD_PROGRAMS := embed amalgamate uses
ROOMS := $(filter-out dist workshops,$(patsubst compiler/%/,%,$(wildcard compiler/*/ compiler/workshops/*/)))
COMPILER_NAMES := $(patsubst compiler/%.c,%,$(filter-out compiler/main.c,$(wildcard compiler/*.c)) \
                    $(wildcard $(ROOMS:%=compiler/%/*.c)))
MADE_NAMES := lexer grammar runtime_files runtime_uses reserved_names $(and $(wildcard compiler/workshops/dissect/*.c),lua_files) \
              $(and $(wildcard compiler/workshops/bindings/*.c),bound_files)
PARTS := $(COMPILER_NAMES:%=compiler/%) $(MADE_NAMES:%=made/%) $(RUNTIME_NAMES:%=runtime/%)
VERSION_FILE := compiler/driver/option_help.c
VERSION := $(shell sed -n 's/^\#define PKTC_VERSION "\(.*\)"/\1/p' $(VERSION_FILE))

.PHONY: all help example dist vsix web install deb packages clean
all: $(B)/pktc

# Checked once in each build directory.
$(B)/have-build-tools: .ci/need
	@mkdir -p $(B)
	@$(need) $(BUILD_TOOLS)
	@touch $@

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

$(BUILD_PROGRAMS:%=$(B)/%): $(B)/%: compiler/dist/%.c compiler/base/c_words.h | $(B)/have-build-tools
	@mkdir -p $(@D)
	$(call say,LD)$(CC) $(COMPILER_FLAGS) $(CFLAGS) -o $@ $<

# The runtime that pktc writes beside the generated files: what programs call, what generated code is made of, and a file
# that compiles the functions.
THREE_FILES := $(B)/made/pkt.h $(B)/made/pkt_inside.h $(B)/made/pkt.c
RUNTIME_TITLE = - $(1) of the runtime of code generated by pktc $(VERSION).
$(B)/made/pkt.h: TITLE = pkt.h $(call RUNTIME_TITLE,what programs call) One file of a program compiles its functions: pkt.c.
$(B)/made/pkt.h: MADE_OF = runtime/pkt.h
$(B)/made/pkt_inside.h: TITLE = pkt_inside.h $(call RUNTIME_TITLE,the macros and inline functions) Programs need only pkt.h.
$(B)/made/pkt_inside.h: MADE_OF = -k pkt.h runtime/pkt_inside.h
$(B)/made/pkt.c: TITLE = pkt.c $(call RUNTIME_TITLE,the functions)
$(B)/made/pkt.c: MADE_OF = -k pkt_inside.h -I runtime compiler/dist/runtime/pkt.c

$(THREE_FILES): $(B)/amalgamate $(RUNTIME_FILES) compiler/dist/runtime/pkt.c LICENSE $(VERSION_FILE)
	@mkdir -p $(@D)
	$(call say,AMALGAMATE)$(B)/amalgamate -t '$(TITLE)' -l LICENSE $(MADE_OF) > $@

$(B)/made/runtime_files.c: $(B)/embed $(THREE_FILES)
	@mkdir -p $(@D)
	$(call say,EMBED)$(B)/embed emit/runtime_file $(THREE_FILES) > $@

$(B)/made/runtime_uses.c: $(B)/uses $(THREE_FILES)
	$(call say,USES)$(B)/uses $(THREE_FILES) > $@

$(B)/made/reserved_names.c: $(B)/embed compiler/emit/reserved_names.txt
	@mkdir -p $(@D)
	$(call say,EMBED)$(B)/embed emit/reserved_name compiler/emit/reserved_names.txt > $@

# What all dissectors of `pktc wireshark` have in common, each file after those that it uses; the last one comes behind
# the types of a schema.
LUA_FILES := $(patsubst %,compiler/workshops/dissect/%.lua,bits types fields baselines deltas coded lists quick structs elements releases sessions schema packets)

$(B)/made/lua_files.c: $(B)/embed $(LUA_FILES)
	@mkdir -p $(@D)
	$(call say,EMBED)$(B)/embed dissect/lua_file $(LUA_FILES) > $@

# What `pktc bind` writes for every schema.
BOUND_FILES := $(wildcard $(addprefix compiler/workshops/bindings/,*.ts *.js pkt_godot.h))
$(B)/made/bound_files.c: $(B)/embed $(BOUND_FILES)
	@mkdir -p $(@D)
	$(call say,EMBED)$(B)/embed bindings/bound_file $(BOUND_FILES) > $@

# ---- objects, with and without sanitizers

# What the compiler says of an object is kept beside it: the test `warnings` reads it there, and need not compile all again.
# On a terminal it still has colors, which compilers leave out of files.
COLORS := $(shell [ -t 2 ] && [ "$$TERM" != dumb ] && echo -fdiagnostics-color=always)
keep_messages = $(COLORS) 2>$@.messages; status=$$?; cat $@.messages >&2; exit $$status

$(B)/obj/compiler/%.o: compiler/%.c | $(B)/made/grammar.h
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(COMPILER_FLAGS) $(CFLAGS) -MMD -MP -c -o $@ $< $(keep_messages)

$(B)/obj/made/%.o: $(B)/made/%.c | $(B)/made/grammar.h
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(COMPILER_FLAGS) $(CFLAGS) -MMD -MP -c -o $@ $< $(keep_messages)

$(B)/obj/runtime/%.o: runtime/%.c | $(B)/have-build-tools
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(RUNTIME_FLAGS) $(SECTIONS) $(CFLAGS) -MMD -MP -c -o $@ $< $(keep_messages)

$(B)/san/compiler/%.o: compiler/%.c | $(B)/made/grammar.h
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(COMPILER_FLAGS) $(SANITIZE) -MMD -MP -c -o $@ $<

$(B)/san/made/%.o: $(B)/made/%.c | $(B)/made/grammar.h
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(COMPILER_FLAGS) $(SANITIZE) -MMD -MP -c -o $@ $<

$(B)/san/runtime/%.o: runtime/%.c
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(RUNTIME_FLAGS) $(SANITIZE) -MMD -MP -c -o $@ $<

# All of pktc except main, for pktc and for the tests; and what has no workshops of it, for tests of the core.
CORE_PARTS := $(filter-out compiler/workshops% made/lua_files made/bound_files,$(PARTS))
$(B)/obj/libpktc.a: $(PARTS:%=$(B)/obj/%.o)
$(B)/san/libpktc.a: $(PARTS:%=$(B)/san/%.o)
$(B)/obj/libcore.a: $(CORE_PARTS:%=$(B)/obj/%.o)
$(B)/san/libcore.a: $(CORE_PARTS:%=$(B)/san/%.o)
$(B)/obj/libpktc.a $(B)/san/libpktc.a $(B)/obj/libcore.a $(B)/san/libcore.a:
	@rm -f $@
	$(call say,AR)$(AR) rcs $@ $^

# Without -lm: `cc pktc.c -o pktc` must be enough.
$(B)/pktc: $(B)/obj/compiler/main.o $(B)/obj/libpktc.a
	$(call say,LD)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ -ljansson $(RECORD_LIBRARIES)

# Prints the manual page, and the table of commands in docs, from the tables of commands and options.
$(B)/manual: $(B)/obj/compiler/dist/manual.o $(B)/obj/libpktc.a
	$(call say,LD)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ -ljansson $(RECORD_LIBRARIES)

$(B)/san/pktc: $(B)/san/compiler/main.o $(B)/san/libpktc.a
	$(call say,LD)$(CC) $(SANITIZE) $(LDFLAGS) -o $@ $^ -ljansson -lm $(RECORD_LIBRARIES)

# ---- the example

EXAMPLE_FLAGS := -std=gnu99 $(WARNINGS) -Ischemas/example -I$(B)/example/generated
EXAMPLE_CXX_FLAGS := -std=c++17 $(filter-out -std=% -Wmissing-prototypes -Wstrict-prototypes,$(EXAMPLE_FLAGS))
EXAMPLE_SCHEMAS := $(wildcard schemas/example/*.pkt)
EXAMPLE_GENERATED := $(EXAMPLE_SCHEMAS:schemas/example/%.pkt=$(B)/example/%.o) $(B)/example/pkt.o
EXAMPLE_SHARED := udp
EXAMPLE_HOST := host admission numbers recorder snapshots world
EXAMPLE_SERVER := server $(EXAMPLE_HOST) udp
EXAMPLE_REHEARSAL := rehearsal client $(EXAMPLE_HOST)
# The server serves clients of these releases too. Bots of each are built from the code of their release.
EXAMPLE_OLD := 6 7
EXAMPLE_SERVING := $(addprefix $(B)/example/,arena_upgrade.o arena_serve.o $(EXAMPLE_OLD:%=arena_v%.o))
EXAMPLE_CAPTURES := $(addprefix $(B)/example/,arena_capture.o $(EXAMPLE_OLD:%=arena_v%_capture.o))
EXAMPLE_BOTS := bots client $(EXAMPLE_SHARED)

$(B)/example/generated/stamp: $(B)/pktc $(EXAMPLE_SCHEMAS) \
        $(wildcard schemas/example/*.model schemas/example/releases/*.pkt)
	@rm -rf $(@D) && mkdir -p $(@D)
	$(call say,PKTC)$(B)/pktc --capture --upgrade schemas/example/releases --serve $(words $(EXAMPLE_OLD)) -o $(@D) \
	  $(EXAMPLE_SCHEMAS)
	@touch $@

$(EXAMPLE_GENERATED) $(EXAMPLE_CAPTURES) $(EXAMPLE_SERVING): $(B)/example/%.o: $(B)/example/generated/stamp
	$(call say,CC)$(CC) $(EXAMPLE_FLAGS) $(CFLAGS) -c -o $@ $(B)/example/generated/$*.c

$(patsubst %,$(B)/example/%.o,$(sort $(EXAMPLE_SERVER) $(EXAMPLE_REHEARSAL) $(EXAMPLE_BOTS))): $(B)/example/%.o: \
        schemas/example/%.c $(wildcard schemas/example/*.h) $(B)/example/generated/stamp
	$(call say,CC)$(CC) $(EXAMPLE_FLAGS) $(CFLAGS) -c -o $@ $<

EXAMPLE_HOSTING := $(EXAMPLE_GENERATED) $(EXAMPLE_CAPTURES) $(EXAMPLE_SERVING)
$(B)/example/server: $(EXAMPLE_SERVER:%=$(B)/example/%.o) $(EXAMPLE_HOSTING)
$(B)/example/rehearsal: $(EXAMPLE_REHEARSAL:%=$(B)/example/%.o) $(EXAMPLE_HOSTING)
$(B)/example/bots: $(EXAMPLE_BOTS:%=$(B)/example/%.o) $(EXAMPLE_GENERATED)
$(B)/example/server $(B)/example/rehearsal $(B)/example/bots:
	$(call say,LD)$(CC) $(CFLAGS) -o $@ $^ -lm

# A client in C++, which the example does without if there is no compiler for it.
$(B)/example/spectator: schemas/example/spectator.cpp $(EXAMPLE_SHARED:%=$(B)/example/%.o) $(EXAMPLE_GENERATED)
	$(call say,LD)! command -v $(CXX) >/dev/null || $(CXX) $(EXAMPLE_CXX_FLAGS) $(CFLAGS) -o $@ $^

# As a team of that time built it: with the schema of the release, and those before it.
$(EXAMPLE_OLD:%=$(B)/example/bots_v%): $(B)/example/bots_v%: $(B)/example/generated/stamp $(EXAMPLE_BOTS:%=schemas/example/%.c)
	@rm -rf $@.made && mkdir -p $@.made/releases
	@for n in $$(seq $*); do cp schemas/example/releases/arena-00$$n-*.pkt $@.made/releases || exit 1; done
	@cp schemas/example/releases/arena-00$*-*.pkt $@.made/arena.pkt
	$(call say,PKTC)$(B)/pktc --upgrade $@.made/releases -o $@.made $@.made/arena.pkt
	$(call say,LD)$(CC) $(patsubst -I$(B)/example/generated,-I$@.made,$(EXAMPLE_FLAGS)) $(CFLAGS) -o $@ \
	  $(EXAMPLE_BOTS:%=schemas/example/%.c) $@.made/arena.c $@.made/pkt.c -lm

EXAMPLE_PROGRAMS := $(addprefix $(B)/example/,server bots rehearsal spectator $(EXAMPLE_OLD:%=bots_v%))
example: $(EXAMPLE_PROGRAMS)
	@schemas/example/run.sh $(B)/example

# ---- pktc as one C file, and the runtime

ONE_FILE := $(COMPILER_NAMES:%=compiler/%.c) $(MADE_NAMES:%=$(B)/made/%.c) compiler/main.c

dist: $(B)/dist/pktc.c $(THREE_FILES:$(B)/made/%=$(B)/dist/%)

$(B)/dist/pktc.c: $(B)/amalgamate $(ONE_FILE) $(wildcard compiler/*.h compiler/*/*.h compiler/*/*/*.h) $(RUNTIME_FILES) LICENSE
	@mkdir -p $(@D)
	$(call say,DIST)$(B)/amalgamate -t 'pktc $(VERSION): cc pktc.c -o pktc' -l LICENSE -d '_POSIX_C_SOURCE 200809L' -d '_GNU_SOURCE 1' \
	    -d '__USE_MINGW_ANSI_STDIO 1' -d PKT_IMPLEMENTATION -I compiler -I compiler/workshops -I runtime -I $(B)/made \
	    compiler/dist/runtime/pkt.c $(ONE_FILE) > $@

$(THREE_FILES:$(B)/made/%=$(B)/dist/%): $(B)/dist/%: $(B)/made/%
	@mkdir -p $(@D)
	$(call say,DIST)cp $< $@

# ---- the extension for VS Code

vsix:
	@$(need) npm zip
	@mkdir -p $(B)
	$(call say,VSIX)share/editors/vsix.sh $(VERSION) $(B)/vsix $(B)/pkt.vsix

# ---- the page: pktc for wasm, with an editor, in one file

WEB := $(B)/web
JANSSON_SOURCE ?= $(WEB)/sources/jansson

web: $(WEB)/index.html

$(WEB)/have-tools: .ci/need
	@mkdir -p $(WEB)
	@$(need) $(WEB_TOOLS)
	@touch $@

$(WEB)/sources/jansson: | $(WEB)/have-tools
	$(call say,SOURCES)share/web/sources.sh $@ $(@F)

$(WEB)/pktc.wasm: $(B)/dist/pktc.c share/web/wasm.sh $(wildcard share/web/wasm/* share/web/wasm/*/*) | $(WEB)/have-tools \
        $(JANSSON_SOURCE)
	$(call say,WASM)share/web/wasm.sh $< $(JANSSON_SOURCE) $(WEB)/wasm $@

$(WEB)/npm/stamp: share/web/package.json share/web/package-lock.json | $(WEB)/have-tools
	@rm -rf $(@D) && mkdir -p $(@D) && cp share/web/package*.json $(@D)
	$(call say,NPM)(cd $(@D) && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error >/dev/null)
	@touch $@

$(WEB)/index.html: $(WEB)/pktc.wasm $(WEB)/npm/stamp $(wildcard share/web/* share/web/src/*) docs/cookbook.md $(EXAMPLE_SCHEMAS) \
        $(wildcard schemas/*.pkt) share/editors/vscode/pkt.tmLanguage.json
	$(call say,PAGE)node share/web/build.mjs $(WEB)/pktc.wasm $(WEB)/npm/node_modules $@

# ---- installing

$(B)/libpkt.a: $(RUNTIME_NAMES:%=$(B)/obj/runtime/%.o)
	@rm -f $@
	$(call say,AR)$(AR) rcs $@ $^

CMAKE_FILES := compiler/dist/install/pktcConfig.cmake compiler/dist/install/pktc_generate.cmake
COMPLETION := compiler/dist/install/completion
to = $(DESTDIR)$(prefix)
lib_to = $(DESTDIR)$(libdir)
install: $(B)/pktc $(B)/libpkt.a
	mkdir -p $(to)/bin $(to)/include/pktc $(lib_to)/pkgconfig $(to)/share/man/man1 $(to)/share/cmake/pktc \
	    $(to)/share/pktc/runtime $(to)/share/pktc/handshake
	cp $(B)/pktc $(to)/bin/
	cp runtime/*.h $(to)/include/pktc/
	cp $(B)/libpkt.a $(lib_to)/
	cp $(RUNTIME_FILES) $(to)/share/pktc/runtime/
	cp share/handshake/handshake.pkt $(to)/share/pktc/handshake/
	cp docs/pktc.1 $(to)/share/man/man1/
	mkdir -p $(to)/share/bash-completion/completions $(to)/share/zsh/site-functions $(to)/share/fish/vendor_completions.d
	cp $(COMPLETION)/pktc.bash $(to)/share/bash-completion/completions/pktc
	cp $(COMPLETION)/_pktc $(to)/share/zsh/site-functions/
	cp $(COMPLETION)/pktc.fish $(to)/share/fish/vendor_completions.d/
	cp $(CMAKE_FILES) $(to)/share/cmake/pktc/
	sed 's|@PROJECT_VERSION@|$(VERSION)|' compiler/dist/install/pktcConfigVersion.cmake.in \
	    > $(to)/share/cmake/pktc/pktcConfigVersion.cmake
	sed 's|@PROJECT_VERSION@|$(VERSION)|; s|@CMAKE_INSTALL_PREFIX@|$(prefix)|; s|@libdir@|$(libdir)|' compiler/dist/install/pktc.pc.in \
	    > $(lib_to)/pkgconfig/pktc.pc

# ---- packages

deb:
	@$(need) $(DEB_TOOLS)
	@share/packaging/debian.sh $(B)/deb

packages: $(PACKAGES:%=package-%)

help:
	@sed -n '/^#   make/,/^$$/s/^# \{0,3\}//p' Makefile

clean:
	rm -rf $(B)

include tests/tests.mk tests/bench/bench.mk
-include $(foreach kind,obj san test,$(wildcard $(B)/$(kind)/*/*.d $(B)/$(kind)/*/*/*.d $(B)/$(kind)/*/*/*/*.d))

endif # of deps
