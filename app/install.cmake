# What `cmake --install` installs (in the folders of GNUInstallDirs), and the Debian package that
# cpack makes of it. instrumentation/cuda installs the libraries that users' programs are linked
# with.
set(id org.tilereel.Tilereel)
set(from ${PROJECT_SOURCE_DIR}/assets/install)

# `tilereel man-page` prints the manual page, made from the descriptions of the options.
set(man_page ${PROJECT_BINARY_DIR}/tilereel.1)
add_custom_command(OUTPUT ${man_page} COMMAND tilereel man-page > ${man_page} DEPENDS tilereel VERBATIM)
add_custom_target(tilereel_man_page ALL DEPENDS ${man_page})
configure_file(${from}/${id}.metainfo.xml.in ${PROJECT_BINARY_DIR}/${id}.metainfo.xml @ONLY)

install(TARGETS tilereel)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/assets/races/ DESTINATION ${CMAKE_INSTALL_DATADIR}/tilereel/races
        FILES_MATCHING PATTERN *.json)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/assets/lessons/ DESTINATION ${CMAKE_INSTALL_DATADIR}/tilereel/lessons
        FILES_MATCHING PATTERN *.toml PATTERN *.cu PATTERN README.md)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/assets/exercises/ DESTINATION ${CMAKE_INSTALL_DATADIR}/tilereel/exercises
        USE_SOURCE_PERMISSIONS FILES_MATCHING PATTERN *.toml PATTERN *.cu PATTERN README.md PATTERN *.sh
        PATTERN run_autograder)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/assets/programs/ DESTINATION ${CMAKE_INSTALL_DATADIR}/tilereel/programs
        FILES_MATCHING PATTERN *.cu)
install(FILES ${from}/${id}.desktop DESTINATION ${CMAKE_INSTALL_DATADIR}/applications)
install(FILES ${from}/${id}.svg DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps)
install(FILES ${from}/${id}.mime.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/mime/packages RENAME ${id}.xml)
install(FILES ${PROJECT_BINARY_DIR}/${id}.metainfo.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/metainfo)
install(FILES ${man_page} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${from}/tilereel.bash RENAME tilereel
        DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
set(TILEREEL_ZSH_COMPLETIONS ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions
    CACHE STRING "Where zsh looks for completions; elsewhere than on Debian often share/zsh/site-functions")
install(FILES ${from}/_tilereel DESTINATION ${TILEREEL_ZSH_COMPLETIONS})
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE RENAME copyright DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/tilereel)

# The libraries that the program is linked with come from dpkg-shlibdeps (package dpkg-dev). The
# recommended packages compile CUDA programs and write films. The plugin headers have the version of
# the compiler that builds the package.
string(REGEX MATCH "^[0-9]+" compiler_version "${CMAKE_CXX_COMPILER_VERSION}")
string(CONCAT compile_programs "g++, gcc-${compiler_version}-plugin-dev, libboost-context-dev, libzip-dev, "
                               "zlib1g-dev, libopenblas0")
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME tilereel)
set(CPACK_PACKAGE_VENDOR "Tilereel authors")
set(CPACK_PACKAGE_CONTACT "Tilereel authors")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Watch what each thread of a CUDA kernel does to memory")
set(CPACK_PACKAGE_DESCRIPTION "Tilereel records what each thread of a CUDA kernel does to global and \
shared memory, with or without a GPU. It replays the recording as tile loads, barriers and bank \
conflicts, counts what Nsight Compute counts, and races kernels at full speed.")
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION education)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS
    "fonts-inter, fonts-jetbrains-mono, libegl1, libgl1-mesa-dri, libxcursor1, libxi6, libxinerama1, libxrandr2")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "${compile_programs}, ffmpeg, bubblewrap")
include(CPack)
