# cmake -DROOT=... -DOUTPUT=... -DFILES=a,b,c -P embed.cmake
# Writes a C++ source with the text of each file.
string(REPLACE "," ";" files "${FILES}")
set(text "#include \"instrumentation/plain/toolchain.h\"\n\nnamespace tilereel::plain {\n\n")
string(APPEND text "const EmbeddedFile kEmbeddedFiles[] = {\n")
set(count 0)
foreach(file IN LISTS files)
    file(READ "${ROOT}/${file}" content)
    string(APPEND text "    {\"${file}\",\n     R\"tilereel(${content})tilereel\"},\n")
    math(EXPR count "${count} + 1")
endforeach()
string(APPEND text "};\nconst unsigned kEmbeddedFileCount = ${count};\n\n}  // namespace tilereel::plain\n")
file(WRITE "${OUTPUT}" "${text}")
