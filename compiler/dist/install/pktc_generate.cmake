# pktc_generate.cmake - adds the C of .pkt files to a target, and the runtime.
# SPDX-License-Identifier: MIT
#
#   pktc_generate(TARGET game SCHEMAS mygame.pkt... [OUT_DIR generated] [IMPORT_DIRS dir...]
#                 [UPGRADE releases [SERVE n]] [NO_CHECKS] [REFLECT] [CAPTURE] [CXX])
#
# Runs pktc when a schema, one that it imports, its model or a release has changed. The generated files are compiled into
# the target, and OUT_DIR is in its include path and in that of targets that link to it. The target links to
# pktc::runtime. Relative paths start at the current source directory. Without OUT_DIR, the files are in the build
# directory.
#
# An INTERFACE target cannot be compiled, so the files become a static library, TARGET_pktc, to which it links. With
# CXX the files are compiled as C++, which is necessary if a schema is bound to types from a C++ header. In a project
# without C they are always compiled as C++.

# As a script, after pktc has run: writes NAME_served.c, which includes what pktc has made for the releases that NAME.pkt
# serves, as the file DEPFILE lists it. Which releases these are, only pktc knows: the schema may be in the folder, too.
if(CMAKE_SCRIPT_MODE_FILE)
    file(READ "${DEPFILE}" made)
    string(REGEX MATCHALL "/${NAME}_(v[0-9]+(_capture)?|serve)[.]c" served "${made}")
    string(REGEX REPLACE "/([^;]+);?" "#include \"\\1\"\n" includes "${served}")
    file(WRITE "${DEPFILE}.c" "#include \"${NAME}.h\"\n${includes}")
    configure_file("${DEPFILE}.c" "${OUT_DIR}/${NAME}_served.c" COPYONLY) # leaves it alone if it is the same
    return()
endif()
set(_pktc_script "${CMAKE_CURRENT_LIST_FILE}" CACHE INTERNAL "Writes NAME_served.c")

# Adds the target pktc_runtime. It is optimized, unless the program sets a build type. Each function has a section of
# its own, so that a program linked with --gc-sections has only those that it calls.
function(_pktc_add_runtime directory)
    file(GLOB files CONFIGURE_DEPENDS "${directory}/*.c" "${directory}/*.h")
    add_library(pktc_runtime STATIC ${ARGN} ${files})
    add_library(pktc::runtime ALIAS pktc_runtime)
    set_target_properties(pktc_runtime PROPERTIES OUTPUT_NAME pkt C_STANDARD 99 POSITION_INDEPENDENT_CODE ON)
    target_compile_options(pktc_runtime PRIVATE "$<$<CONFIG:>:$<IF:$<C_COMPILER_ID:MSVC>,/O2,-O2>>"
        "$<IF:$<C_COMPILER_ID:MSVC>,/Gy,-ffunction-sections;-fdata-sections>")
    target_include_directories(pktc_runtime PUBLIC "${directory}")
endfunction()

# Sets the variable with this name to the text of a schema without its comments. CMake runs again when the schema changes.
function(_pktc_read variable schema)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${schema}")
    file(READ "${schema}" text)
    string(REGEX REPLACE "//[^\n]*" "" text "${text}")
    string(REGEX REPLACE "/\\*([^*]|\\*+[^*/])*\\*+/" "" text "${text}")
    set(${variable} "${text}" PARENT_SCOPE)
endfunction()

# Appends the model that a schema names to the list with this name. pktc reports a model that does not exist.
function(_pktc_add_model list schema)
    _pktc_read(text "${schema}")
    if("\n${text}" MATCHES "[\n;}][ \t\r\n]*model[ \t\r\n]*\"([^\"\n]*)\"")
        get_filename_component(directory "${schema}" DIRECTORY)
        get_filename_component(path "${CMAKE_MATCH_1}" ABSOLUTE BASE_DIR "${directory}")
        if(EXISTS "${path}")
            set(${list} ${${list}} "${path}" PARENT_SCOPE)
        endif()
    endif()
endfunction()

# Appends the .pkt files that a schema imports, directly or indirectly, to the list with this name.
function(_pktc_add_imports list schema import_dirs)
    _pktc_read(text "${schema}")
    get_filename_component(directory "${schema}" DIRECTORY)
    string(REGEX MATCHALL "import[ \t\r\n]*\"[^\"\n]*\"" imports "${text}")
    set(all "${${list}}")
    foreach(import IN LISTS imports)
        string(REGEX REPLACE ".*\"(.*)\"" "\\1" name "${import}")
        foreach(place IN ITEMS "${directory}" LISTS import_dirs)
            get_filename_component(path "${name}" ABSOLUTE BASE_DIR "${place}")
            if(EXISTS "${path}")
                break()
            endif()
        endforeach()
        # pktc reports imports that do not exist.
        if(EXISTS "${path}" AND NOT path IN_LIST all)
            list(APPEND all "${path}")
            _pktc_add_imports(all "${path}" "${import_dirs}")
        endif()
    endforeach()
    set(${list} "${all}" PARENT_SCOPE)
endfunction()

function(pktc_generate)
    cmake_parse_arguments(ARG "NO_CHECKS;REFLECT;CAPTURE;CXX" "TARGET;OUT_DIR;UPGRADE;SERVE"
                          "SCHEMAS;IMPORT_DIRS" ${ARGN})
    if(NOT ARG_TARGET OR NOT ARG_SCHEMAS OR ARG_UNPARSED_ARGUMENTS)
        message(FATAL_ERROR "pktc_generate(TARGET name SCHEMAS file.pkt... [OUT_DIR dir] [IMPORT_DIRS dir...] "
                            "[UPGRADE dir [SERVE n]] [NO_CHECKS] [REFLECT] [CAPTURE] [CXX])")
    endif()
    if(NOT TARGET ${ARG_TARGET})
        message(FATAL_ERROR "pktc_generate: there is no target ${ARG_TARGET}; call add_executable or add_library first")
    endif()
    if(NOT ARG_OUT_DIR)
        set(ARG_OUT_DIR "${CMAKE_CURRENT_BINARY_DIR}/${ARG_TARGET}_pktc")
    endif()
    get_filename_component(out_dir "${ARG_OUT_DIR}" ABSOLUTE)

    set(options --no-runtime -o "${out_dir}")
    set(suffixes .h _codec.h .c)
    if(ARG_NO_CHECKS)
        list(APPEND options --no-checks)
    endif()
    if(ARG_REFLECT)
        list(APPEND options --reflect)
        list(APPEND suffixes _reflect.h _reflect.c)
    endif()
    set(import_dirs)
    if(ARG_CAPTURE)
        list(APPEND options --capture)
    endif()
    set(releases)
    if(ARG_UPGRADE)
        get_filename_component(path "${ARG_UPGRADE}" ABSOLUTE)
        list(APPEND options --upgrade "${path}")
        file(GLOB releases CONFIGURE_DEPENDS "${path}/*.pkt")
    endif()
    foreach(each IN LISTS ARG_IMPORT_DIRS)
        get_filename_component(path "${each}" ABSOLUTE)
        list(APPEND import_dirs "${path}")
        list(APPEND options -I "${path}")
    endforeach()

    set(roots)
    foreach(each IN LISTS ARG_SCHEMAS)
        get_filename_component(path "${each}" ABSOLUTE)
        if(NOT EXISTS "${path}")
            message(FATAL_ERROR "pktc_generate: there is no schema ${path}")
        endif()
        list(APPEND roots "${path}")
    endforeach()
    set(schemas ${roots})
    foreach(each IN LISTS roots)
        _pktc_add_imports(schemas "${each}" "${import_dirs}")
    endforeach()
    set(models)
    foreach(each IN LISTS roots)
        _pktc_add_model(models "${each}")
    endforeach()

    set(made)
    foreach(each IN LISTS schemas)
        get_filename_component(stem "${each}" NAME_WLE)
        foreach(suffix IN LISTS suffixes)
            list(APPEND made "${out_dir}/${stem}${suffix}")
        endforeach()
    endforeach()
    if(ARG_CAPTURE)
        foreach(each IN LISTS roots)
            get_filename_component(stem "${each}" NAME_WLE)
            list(APPEND made "${out_dir}/${stem}_capture.h" "${out_dir}/${stem}_capture.c")
        endforeach()
    endif()
    set(served)
    if(ARG_UPGRADE)
        foreach(each IN LISTS roots)
            file(STRINGS "${each}" protocol REGEX "^[ \t]*protocol[ \t]")
            get_filename_component(stem "${each}" NAME_WLE)
            if(protocol) # a library of types has no versions
                list(APPEND made "${out_dir}/${stem}_upgrade.h" "${out_dir}/${stem}_upgrade.c")
                if(ARG_SERVE)
                    list(APPEND made "${out_dir}/${stem}_served.c")
                    list(APPEND served "${stem}")
                endif()
            endif()
        endforeach()
    endif()
    list(REMOVE_DUPLICATES made)

    # Ninja refuses two rules for one file, and other programs might run both at once.
    get_property(taken GLOBAL PROPERTY pktc_made)
    foreach(each IN LISTS made)
        if(each IN_LIST taken)
            message(FATAL_ERROR "pktc_generate: another call generates ${each} too. Name all schemas that share a "
                                "directory in one call. If several programs need them, generate them for a library.")
        endif()
    endforeach()
    set_property(GLOBAL APPEND PROPERTY pktc_made ${made})

    # pktc does not touch a file whose content would be the same. The stamp tells make that pktc has run.
    string(SHA1 id "${out_dir};${roots}")
    string(SUBSTRING "${id}" 0 12 id)
    set(stamp "${CMAKE_CURRENT_BINARY_DIR}/${ARG_TARGET}_${id}.stamp")
    set(write_served)
    if(ARG_SERVE)
        list(APPEND options --serve "${ARG_SERVE}" "--depfile=${stamp}.d")
    endif()
    foreach(each IN LISTS served)
        list(APPEND write_served COMMAND "${CMAKE_COMMAND}" "-DDEPFILE=${stamp}.d" "-DNAME=${each}"
                                 "-DOUT_DIR=${out_dir}" -P "${_pktc_script}")
    endforeach()
    add_custom_command(
        OUTPUT "${stamp}"
        BYPRODUCTS ${made}
        COMMAND pktc::compiler ${options} -- ${roots}
        ${write_served}
        COMMAND "${CMAKE_COMMAND}" -E touch "${stamp}"
        DEPENDS pktc::compiler ${schemas} ${models} ${releases}
        COMMENT "pktc ${ARG_SCHEMAS}"
        VERBATIM)
    set_source_files_properties("${stamp}" PROPERTIES HEADER_FILE_ONLY ON GENERATED ON)
    if(ARG_CXX OR NOT CMAKE_C_COMPILER_LOADED)
        set(sources ${made})
        list(FILTER sources INCLUDE REGEX "[.]c$")
        set_source_files_properties(${sources} PROPERTIES LANGUAGE CXX)
    endif()

    set(compiled ${ARG_TARGET})
    get_target_property(type ${ARG_TARGET} TYPE)
    if(type STREQUAL "INTERFACE_LIBRARY")
        set(compiled ${ARG_TARGET}_pktc)
        if(NOT TARGET ${compiled})
            add_library(${compiled} STATIC)
            set_target_properties(${compiled} PROPERTIES POSITION_INDEPENDENT_CODE ON)
            target_include_directories(${compiled} PRIVATE
                                       "$<TARGET_PROPERTY:${ARG_TARGET},INTERFACE_INCLUDE_DIRECTORIES>")
            target_link_libraries(${ARG_TARGET} INTERFACE ${compiled})
        endif()
    endif()
    target_sources(${compiled} PRIVATE "${stamp}" ${made})
    target_include_directories(${compiled} PUBLIC "$<BUILD_INTERFACE:${out_dir}>")
    target_link_libraries(${compiled} PUBLIC pktc::runtime)
endfunction()
