# vcpkg.cmake - stands in for vcpkg: its functions as far as a port of pktc calls them, and a run of the port.
# SPDX-License-Identifier: MIT
#
# usage: cmake -DPORT=DIRECTORY -DCURRENT_PACKAGES_DIR=DIRECTORY -DBUILD=DIRECTORY -P vcpkg.cmake
cmake_minimum_required(VERSION 3.19)

function(command)
    execute_process(COMMAND ${CMAKE_COMMAND} ${ARGV} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# Without optimizing, because what is built here runs once.
function(vcpkg_cmake_configure)
    cmake_parse_arguments(PARSE_ARGV 0 given "" "SOURCE_PATH" "OPTIONS")
    command(-S "${given_SOURCE_PATH}" -B "${BUILD}/rel" -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_FLAGS_RELEASE=-O0
            "-DCMAKE_INSTALL_PREFIX=${CURRENT_PACKAGES_DIR}" ${given_OPTIONS})
    command(-S "${given_SOURCE_PATH}" -B "${BUILD}/dbg" -DCMAKE_BUILD_TYPE=Debug
            "-DCMAKE_INSTALL_PREFIX=${CURRENT_PACKAGES_DIR}/debug" ${given_OPTIONS})
endfunction()

function(vcpkg_cmake_install)
    foreach(kind rel dbg)
        command(--build "${BUILD}/${kind}" --parallel 2)
        command(--install "${BUILD}/${kind}")
    endforeach()
endfunction()

# vcpkg itself lets a string be missing; a port that means to replace one does not.
function(vcpkg_replace_string file old new)
    file(READ "${file}" text)
    string(REPLACE "${old}" "${new}" changed "${text}")
    if(changed STREQUAL text)
        message(FATAL_ERROR "${file} has no ${old}")
    endif()
    file(WRITE "${file}" "${changed}")
endfunction()

function(vcpkg_fixup_pkgconfig)
    foreach(folder "" /debug)
        vcpkg_replace_string("${CURRENT_PACKAGES_DIR}${folder}/lib/pkgconfig/pktc.pc"
                             "prefix=${CURRENT_PACKAGES_DIR}${folder}\n" "prefix=\${pcfiledir}/../..\n")
    endforeach()
endfunction()

function(vcpkg_install_copyright)
    cmake_parse_arguments(PARSE_ARGV 0 given "" "" "FILE_LIST")
    file(COPY_FILE "${given_FILE_LIST}" "${CURRENT_PACKAGES_DIR}/share/pktc/copyright")
endfunction()

include("${PORT}/portfile.cmake")
