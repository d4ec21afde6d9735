# pktc_generate.cmake - the C of .pkt files as sources of a target.
# SPDX-License-Identifier: MIT
#
#   pktc_generate(TARGET game SCHEMAS mygame.pkt... [OUT_DIR generated] [IMPORT_DIRS dir...] [NO_CHECKS])
#
# The files are made when a schema or what it imports has changed, are compiled into the target, and are on its include
# path and on that of what links to it. The target links to pktc::runtime. Relative paths start at the current source
# directory; without OUT_DIR the files lie in the build directory.

# Appends the .pkt files that one imports, and those that they import, to the list that is named.
function(_pktc_add_imports list schema import_dirs)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${schema}")
    get_filename_component(directory "${schema}" DIRECTORY)
    file(READ "${schema}" text)
    string(REGEX REPLACE "//[^\n]*" "" text "${text}")
    string(REGEX REPLACE "/\\*([^*]|\\*+[^*/])*\\*+/" "" text "${text}")
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
        # What is missing is pktc's to report.
        if(EXISTS "${path}" AND NOT path IN_LIST all)
            list(APPEND all "${path}")
            _pktc_add_imports(all "${path}" "${import_dirs}")
        endif()
    endforeach()
    set(${list} "${all}" PARENT_SCOPE)
endfunction()

function(pktc_generate)
    cmake_parse_arguments(ARG "NO_CHECKS" "TARGET;OUT_DIR" "SCHEMAS;IMPORT_DIRS" ${ARGN})
    if(NOT ARG_TARGET OR NOT ARG_SCHEMAS OR ARG_UNPARSED_ARGUMENTS)
        message(FATAL_ERROR "pktc_generate(TARGET name SCHEMAS file.pkt... [OUT_DIR dir] [IMPORT_DIRS dir...] [NO_CHECKS])")
    endif()
    if(NOT ARG_OUT_DIR)
        set(ARG_OUT_DIR "${CMAKE_CURRENT_BINARY_DIR}/${ARG_TARGET}_pktc")
    endif()
    get_filename_component(out_dir "${ARG_OUT_DIR}" ABSOLUTE)

    set(options -o "${out_dir}")
    if(ARG_NO_CHECKS)
        list(APPEND options --no-checks)
    endif()
    set(import_dirs)
    foreach(each IN LISTS ARG_IMPORT_DIRS)
        get_filename_component(path "${each}" ABSOLUTE)
        list(APPEND import_dirs "${path}")
        list(APPEND options -I "${path}")
    endforeach()

    set(roots)
    foreach(each IN LISTS ARG_SCHEMAS)
        get_filename_component(path "${each}" ABSOLUTE)
        list(APPEND roots "${path}")
    endforeach()
    set(schemas ${roots})
    foreach(each IN LISTS roots)
        _pktc_add_imports(schemas "${each}" "${import_dirs}")
    endforeach()

    set(made)
    foreach(each IN LISTS schemas)
        get_filename_component(stem "${each}" NAME_WLE)
        list(APPEND made "${out_dir}/${stem}.h" "${out_dir}/${stem}_codec.h" "${out_dir}/${stem}.c")
    endforeach()
    list(REMOVE_DUPLICATES made)

    # pktc leaves a file alone that would not change: the stamp tells make that it ran.
    string(SHA1 id "${out_dir};${roots}")
    string(SUBSTRING "${id}" 0 12 id)
    set(stamp "${CMAKE_CURRENT_BINARY_DIR}/${ARG_TARGET}_${id}.stamp")
    add_custom_command(
        OUTPUT "${stamp}"
        BYPRODUCTS ${made}
        COMMAND pktc::compiler ${options} -- ${roots}
        COMMAND "${CMAKE_COMMAND}" -E touch "${stamp}"
        DEPENDS pktc::compiler ${schemas}
        COMMENT "pktc ${ARG_SCHEMAS}"
        VERBATIM)
    set_source_files_properties("${stamp}" PROPERTIES HEADER_FILE_ONLY ON GENERATED ON)
    target_sources(${ARG_TARGET} PRIVATE "${stamp}" ${made})
    target_include_directories(${ARG_TARGET} PUBLIC "$<BUILD_INTERFACE:${out_dir}>")
    target_link_libraries(${ARG_TARGET} PUBLIC pktc::runtime)
endfunction()
