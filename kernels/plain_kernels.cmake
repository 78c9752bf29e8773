# What a plain CUDA file (kernels/plain) says of itself:
#   // Built  TILE 2, 4, 8; PAD 0, 1     the values that are built in; without it TILE 16 and PAD 0
#   template <int TILE, int PAD>         of both, of one or of none
#   void launch_<name>(...) {            <name> is the file's, without its number
#       <kernel><...><<<...>>>(...)

# read_plain_kernel(PATH CODE ROWS): sets, in the caller's scope,
#   CODE  the file in a namespace of its own. What it includes stands before the namespace.
#   ROWS  a line for each instantiation: PLAIN_KERNEL(stem, TILE, PAD, kernel, launch function)
#   CPU_CODE  as CODE, with each launch as a function call:
#         launch_kernel(grid, block, kernel, arguments...)
function(read_plain_kernel path code_name rows_name cpu_code_name)
    get_filename_component(stem ${path} NAME_WE)
    string(REGEX REPLACE "^[0-9]+_" "" name ${stem})
    file(READ ${path} text)

    string(FIND "${text}" "void launch_${name}(" at)
    if(at EQUAL -1)
        message(FATAL_ERROR "${path}: add the function that launches the kernel, void launch_${name}("
                            "const float* A, const float* B, float* C, int M, int N, int K)")
    endif()
    string(SUBSTRING "${text}" 0 ${at} before)
    string(SUBSTRING "${text}" ${at} -1 launch)
    set(arguments "")
    if(before MATCHES "template <([^<>]*)>[ \n]*$")
        string(REGEX MATCHALL "TILE|PAD" parameters "${CMAKE_MATCH_1}")
        list(JOIN parameters ", " arguments)
        set(arguments "<${arguments}>")
    endif()
    if(NOT launch MATCHES "([A-Za-z0-9_]+(<[A-Za-z0-9_, ]*>)?)<<<")
        message(FATAL_ERROR "${path}: launch_${name} starts no kernel; write kernel<<<grid, block>>>")
    endif()
    set(kernel ${CMAKE_MATCH_1})

    set(tiles 16)
    set(pads 0)
    string(REGEX MATCH "\n// Built  [^\n]*" built "${text}")
    if(built MATCHES "TILE ([0-9, ]+)")
        string(REGEX MATCHALL "[0-9]+" tiles "${CMAKE_MATCH_1}")
    endif()
    if(built MATCHES "PAD ([0-9, ]+)")
        string(REGEX MATCHALL "[0-9]+" pads "${CMAKE_MATCH_1}")
    endif()

    set(space plain_${stem})
    set(rows "")
    foreach(tile IN LISTS tiles)
        foreach(pad IN LISTS pads)
            set(row "PLAIN_KERNEL(\"${stem}\", TILE, PAD, (${space}::${kernel}),"
                    " (${space}::launch_${name}${arguments}))\n")
            string(JOIN "" row ${row})
            string(REPLACE "TILE" ${tile} row "${row}")
            string(REPLACE "PAD" ${pad} row "${row}")
            string(APPEND rows "${row}")
        endforeach()
    endforeach()

    string(REGEX MATCHALL "(^|\n)#include [^\n]*" includes "${text}")
    list(JOIN includes "" includes)
    set(${code_name} "${includes}\nnamespace ${space} {\n#include \"${path}\"\n}\n" PARENT_SCOPE)
    set(${rows_name} "${rows}" PARENT_SCOPE)
    string(REGEX REPLACE "([A-Za-z0-9_]+(<[A-Za-z0-9_, ]*>)?)<<<([^;]*)>>>\\("
                         "launch_kernel(\\3, \\1, " calls "${text}")
    set(${cpu_code_name} "namespace ${space} {\n#line 1 \"${path}\"\n${calls}}\n" PARENT_SCOPE)
endfunction()
