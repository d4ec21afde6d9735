# PKTC_SOURCE is a tree of pktc, and PKTC_PROGRAM a pktc that runs on this machine, such as pktc.c compiled by itself: then
# neither re2c nor lemon is needed. Both come from the environment; a published port gets the tree of a release instead.
if(NOT DEFINED ENV{PKTC_SOURCE} OR NOT DEFINED ENV{PKTC_PROGRAM})
    message(FATAL_ERROR "Set PKTC_SOURCE and PKTC_PROGRAM, and keep them: VCPKG_KEEP_ENV_VARS=PKTC_SOURCE;PKTC_PROGRAM")
endif()
set(SOURCE_PATH "$ENV{PKTC_SOURCE}")

vcpkg_cmake_configure(SOURCE_PATH "${SOURCE_PATH}" OPTIONS "-DPKTC_EXECUTABLE=$ENV{PKTC_PROGRAM}")
vcpkg_cmake_install()
vcpkg_fixup_pkgconfig()

# The program is a tool. In what a program finds, it stays where pktcConfig.cmake looks for it, relative to itself.
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share"
     "${CURRENT_PACKAGES_DIR}/debug/bin")
file(MAKE_DIRECTORY "${CURRENT_PACKAGES_DIR}/tools/pktc")
file(GLOB program "${CURRENT_PACKAGES_DIR}/bin/pktc*")
file(COPY ${program} DESTINATION "${CURRENT_PACKAGES_DIR}/tools/pktc")
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/bin")
vcpkg_replace_string("${CURRENT_PACKAGES_DIR}/share/cmake/pktc/pktcConfig.cmake" [[${_pktc_prefix}/bin]]
                     [[${_pktc_prefix}/tools/pktc]])
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
