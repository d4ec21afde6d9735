# pktcConfig.cmake - an installed pktc for find_package(pktc): pktc::compiler, pktc::runtime and pktc_generate().
# SPDX-License-Identifier: MIT
#
# The runtime is installed as sources, so that it is compiled like the program: when cross-compiling, for the target,
# while pktc itself runs on this machine.

get_filename_component(_pktc_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)

if(NOT TARGET pktc::compiler)
    add_executable(pktc::compiler IMPORTED GLOBAL)
    find_program(PKTC_EXECUTABLE pktc HINTS "${_pktc_prefix}/bin" NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH)
    set_target_properties(pktc::compiler PROPERTIES IMPORTED_LOCATION "${PKTC_EXECUTABLE}")
endif()

include("${CMAKE_CURRENT_LIST_DIR}/pktc_generate.cmake")
if(NOT TARGET pktc::runtime)
    enable_language(C)
    _pktc_add_runtime("${_pktc_prefix}/share/pktc/runtime" EXCLUDE_FROM_ALL)
endif()
unset(_pktc_prefix)
