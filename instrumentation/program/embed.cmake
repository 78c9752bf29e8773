# cmake -DROOT=... -DOUTPUT=... -DFILES=a,b,c -P embed.cmake
# Writes a C++ source with the text of each file.
string(REPLACE "," ";" files "${FILES}")
set(text "#include \"instrumentation/program/toolchain.h\"\n\nnamespace tilereel::program {\n\n")
string(APPEND text "const EmbeddedFile kEmbeddedFiles[] = {\n")
set(count 0)
foreach(file IN LISTS files)
    file(READ "${file}" content)
    # include/cuda.h, plugin/flow.cpp, gpu/dump.h
    file(RELATIVE_PATH name "${ROOT}" "${file}")
    string(REGEX REPLACE "^cuda/" "" name "${name}")
    string(APPEND text "    {\"${name}\",\n     R\"tilereel(${content})tilereel\"},\n")
    math(EXPR count "${count} + 1")
endforeach()
string(APPEND text "};\nconst unsigned kEmbeddedFileCount = ${count};\n\n}  // namespace tilereel::program\n")
file(WRITE "${OUTPUT}" "${text}")
