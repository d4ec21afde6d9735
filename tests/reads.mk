# reads.mk - what each test reads: its prerequisites, and READS. tests/report does not run it again if it passed with the same
# content. A part of the Makefile.
# SPDX-License-Identifier: MIT
#
# A file that is missing here would change unseen: `make test TRACE=1` finds it.

# A script reads all but the folders that hold only what their own tests read, unless it is said to read less.
OWN := bench check codec commands describe diff dissect editors layout lsp match mutate options patches record scale tables traffic web
READS = $(WIDE)
WIDE := runtime schemas share $(filter-out $(OWN:%=tests/%) tests/%.mk tests/%.md tests/report,$(wildcard tests/*)) $(B)/machine

# Programs read little besides themselves, and tests of commands what stands in their folders.
$(PROGRAMS) $(UNIT_TESTS:%=$(B)/log/san/%.log): READS = $(B)/machine
$(DRIVERS:%=$(B)/log/%.log) $(SANITIZED:%=$(B)/log/san/%.log): READS = $(B)/machine schemas tests/$(firstword $(subst /, ,$*))
logs = $(foreach name,$1,$(B)/log/$(name).log $(B)/log/san/$(name).log)
$(call logs,nested attributes few-values mygame predicted everything address differential differential-today \
    held held-given held-started started): READS = $(B)/machine tests/fuzz tests/roundtrip schemas runtime
$(call logs,combinations): READS = $(B)/machine compiler/front/lexer.re
$(call logs,$(SCALES)): READS = $(B)/machine
$(call logs,$(UPGRADES)): READS += tests/diff
$(B)/log/patches.log: READS = compiler runtime share tests
$(call logs,arrows format docs searchable without warnings packages deps install cmake web completion): READS += compiler
$(call logs,without packages deps install web $(PACKAGES:%=package-%)): READS += Makefile tests .ci LICENSE
$(call logs,packages deps $(PACKAGES:%=package-%)): READS += compiler docs README.md CHANGELOG.md CMakeLists.txt
$(call logs,fuzzed-pktc): READS = $(B)/machine compiler runtime schemas tests/fuzz tests/check/errors tests/front/errors
$(call logs,install): READS += docs/build.md docs/pktc.1
$(call logs,recipes): READS += README.md docs/build.md docs/cookbook.md docs/language.md docs/versions.md
$(call logs,engines bindings-ts bindings-godot): READS += docs/engines.md
$(call logs,bindings bindings-ts bindings-godot): READS += tests/bindings tests/commands/golden tests/fuzz tests/interop tests/data tests/roundtrip
$(call logs,web): READS += tests/web docs/cookbook.md
$(call logs,cubes): READS += tests/bench docs/images/cubes.svg
$(call logs,families): READS += tests/bench
$(call logs,advice): READS += tests/traffic
$(call logs,dissect dissect-today example): READS += tests/dissect
$(call logs,tables): READS += docs/images/tables.svg docs/images/tables.awk docs/images/style.awk tests/pictures.sh tests/tables tests/dissect docs/tables.md
$(call logs,lsp-clients): READS += tests/lsp share/editors
$(call logs,format tree-sitter editors/test_editors codec/test_quantized check/test_errors): READS += schemas tests
$(call logs,format): READS += .clang-format
$(call logs,docs model/test_type_table): READS += docs README.md
$(call logs,docs): READS += tests/match/results.txt
$(call logs,editors/test_editors): READS += share/editors compiler/front
$(call logs,model/test_type_table): READS += compiler tests/fuzz
$(call logs,emit/test_names): READS += runtime
$(call logs,emit/test_names codec/test_codec describe/test_describe): READS += tests/roundtrip
$(call logs,check/test_fixes commands/test_fmt): READS += tests/check tests/front
$(call logs,commands/test_fmt layout/test_layout): READS += tests/emit
$(call logs,layout/test_layout): READS += tests/commands

# What a test may find on this machine: compilers, packages.
.PHONY: $(B)/machine
$(B)/machine:
	@mkdir -p $(@D)
	@for tool in '$(CC)' '$(CXX)' gcc clang tcc; do $$tool --version || :; done >$@ 2>/dev/null; uname -srm >>$@; \
	    cat /var/lib/dpkg/status 2>/dev/null | cksum >>$@

# pktc with some of its workshops, whose names stand between the dashes: a test that runs it is not run again after a change
# of the others. The file is older than `made` if it is the same as before.
PKTC_CORE := $(B)/with/core/pktc
PKTC_DISSECT := $(B)/with/codec-format-releases-convert-dissect-recordings/pktc
PKTC_RELEASES := $(B)/with/format-releases/pktc
PKTC_BOUND := $(B)/with/codec-format-releases-bindings/pktc
PKTC_CONVERT := $(B)/with/codec-format-releases-convert/pktc
PKTC_OLDER := $(B)/with/codec-format-releases-convert-phases-completion/pktc
PKTC_EDITOR := $(B)/with/format-releases-costs-editor-habits/pktc
PKTC_TOOLS := $(B)/with/codec-format-bindings-dissect-costs-phases-habits/pktc
PKTC_RECORDINGS := $(B)/with/codec-format-releases-convert-recordings-tables/pktc
PKTC_SOME := $(PKTC_CORE) $(PKTC_DISSECT) $(PKTC_RELEASES) $(PKTC_BOUND) $(PKTC_CONVERT) $(PKTC_OLDER) $(PKTC_EDITOR) $(PKTC_TOOLS) \
             $(PKTC_RECORDINGS)
SANITIZED_SOME := $(PKTC_SOME:$(B)/%=$(B)/san/%)
$(PKTC_SOME:%/pktc=%/made): $(B)/obj/compiler/main.o $(B)/obj/libpktc.a
$(PKTC_SOME:%/pktc=%/made): SOME_FLAGS = $(CFLAGS) $(LDFLAGS)
$(SANITIZED_SOME:%/pktc=%/made): $(B)/san/compiler/main.o $(B)/san/libpktc.a
$(SANITIZED_SOME:%/pktc=%/made): SOME_FLAGS = $(SANITIZE)
$(PKTC_SOME:%/pktc=%/made) $(SANITIZED_SOME:%/pktc=%/made): compiler/workshops.c
	@mkdir -p $(@D)
	@sed -E '/^    each\(/{/each\(($(subst -,|,$(notdir $(@D))))\)/!d;}' $< >$(@D)/workshops.c
	$(call say,LD)$(CC) $(COMPILER_FLAGS) $(SOME_FLAGS) -o $(@D)/new $(@D)/workshops.c $(filter-out $<,$^) \
	    -ljansson -lm $(RECORD_LIBRARIES)
	@cmp -s $(@D)/new $(@D)/pktc || cp $(@D)/new $(@D)/pktc
	@touch $@
$(PKTC_SOME) $(SANITIZED_SOME): %/pktc: %/made ;

# The drivers of each of these; the others run the whole pktc.
DRIVERS_TOOLS := check/test_errors check/test_fixes codec/test_codec codec/test_item_names codec/test_lists commands/test_bind commands/test_fmt commands/test_wireshark \
                 describe/test_describe emit/test_compile emit/test_files emit/test_reserved layout/test_layout
DRIVERS_OLDER := commands/test_archive commands/test_renames commands/test_upgrade diff/test_diff emit/test_golden emit/test_names
DRIVERS_DISSECT := commands/test_coded commands/test_recording
DRIVERS_EDITOR := lsp/test_lsp
DRIVERS_RECORDINGS := $(addprefix commands/test_,compressed convert_recording datagrams follow hostile recorded_releases \
                      recorded_sections report table tally train)
DRIVERS_SOME := TOOLS OLDER DISSECT EDITOR RECORDINGS
define runs
$(call logs,$1): $2
$(1:%=$(B)/log/san/%.log): $(2:$(B)/%=$(B)/san/%)
endef
$(foreach some,$(DRIVERS_SOME),$(eval $(call runs,$(DRIVERS_$(some)),$(PKTC_$(some)))))
$(eval $(call runs,$(filter-out $(foreach some,$(DRIVERS_SOME),$(DRIVERS_$(some))),$(DRIVERS)),$(B)/pktc))
