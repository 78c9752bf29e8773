# Reads the CUDA files (kernels/ladder) and generates the code that is compiled. Each file declares:
#   // Built  TILE 2, 4, 8; PAD 0, 1     the values that are built in; without it TILE 16 and PAD 0
#   template <int TILE, int PAD>         of both, of one or of none
#   void launch_<name>(const float* A, const float* B, float* C, int M, int N, int K) {
#       <kernel><...><<<...>>>(...)      <name> is the file's, without its number

# The host code of a file: comments and device code are replaced by empty lines, so that the other lines
# keep their numbers.
function(host_code_of text out)
    string(REGEX REPLACE "//[^\n]*" "" text "${text}")
    string(REGEX REPLACE "#(include|pragma)[^\n]*" "" text "${text}")
    string(REGEX REPLACE "__host__ __device__|__device__ __host__|__host__" "" text "${text}")
    foreach(word __global__ __device__ __constant__)
        string(FIND "${text}" "${word}" at)
        while(NOT at EQUAL -1)
            string(SUBSTRING "${text}" 0 ${at} before)
            string(SUBSTRING "${text}" ${at} -1 after)
            string(FIND "${before}" "\n\n" begin REVERSE)  # of its paragraph
            if(begin EQUAL -1)
                set(begin 0)
            endif()
            if(after MATCHES "^[^;{=]*\\(")  # a function
                string(FIND "${after}" "\n}" length)
                math(EXPR length "${length} + 2")
            else()
                string(FIND "${after}" ";" length)
                math(EXPR length "${length} + 1")
            endif()
            string(SUBSTRING "${text}" ${begin} -1 cut)
            math(EXPR length "${at} + ${length} - ${begin}")
            string(SUBSTRING "${cut}" ${length} -1 rest)
            string(SUBSTRING "${cut}" 0 ${length} cut)
            string(SUBSTRING "${text}" 0 ${begin} before)
            string(REGEX REPLACE "[^\n]+" "" cut "${cut}")
            set(text "${before}${cut}${rest}")
            string(FIND "${text}" "${word}" at)
        endwhile()
    endforeach()
    set(${out} "${text}" PARENT_SCOPE)
endfunction()

# Statements that add up the bytes of the static shared arrays of `kernel`, and statements that list
# those that hold values, with TILE and PAD as numbers.
function(shared_arrays_of path text kernel out list_out)
    string(REGEX REPLACE "//[^\n]*" "" text "${text}")
    set(statements "")
    set(list "")
    if(text MATCHES "__global__[^;{]*[ \n]${kernel}\\([^{]*{(.*)")
        set(body "${CMAKE_MATCH_1}")
        string(FIND "${body}" "\n}" end)
        string(SUBSTRING "${body}" 0 ${end} body)
        string(REGEX MATCHALL "using [A-Za-z0-9_]+ =[^;]*|constexpr int [^;]*|(extern )?__shared__ [^;]*"
               lines "${body}")
        foreach(line IN LISTS lines)
            if(line MATCHES "^extern")
                continue()
            elseif(line MATCHES "^using")
                string(APPEND statements "    ${line};\n")
                string(APPEND list "    ${line};\n")
            elseif(line MATCHES "^constexpr int (.*)")
                foreach(each statements list)
                    string(APPEND ${each} "    [[maybe_unused]] const std::int64_t ${CMAKE_MATCH_1};\n")
                endforeach()
            elseif(line MATCHES "^__shared__ ([A-Za-z0-9_ ]+) ([A-Za-z0-9_]+)((\\[[^]]*\\])*)$")
                set(type "${CMAKE_MATCH_1}")
                set(name "${CMAKE_MATCH_2}")
                set(declared "${CMAKE_MATCH_3}")
                string(REGEX REPLACE "\\[([^]]*)\\]" " * (\\1)" extents "${declared}")
                string(APPEND statements "    bytes += std::int64_t{sizeof(${type})}${extents};\n")
                if(type STREQUAL "uint64_t")  # barriers, which hold no values
                    continue()
                endif()
                string(REGEX REPLACE "\\[([^]]*)\\]" "static_cast<std::uint32_t>(\\1), " extents
                       "${declared}")
                string(APPEND list "    arrays.push_back({\"${name}\", {${extents}}});\n")
            else()
                message(FATAL_ERROR "${path}: '${line}' is no array of one type; "
                                    "declare each shared array by itself")
            endif()
        endforeach()
    endif()
    set(${out} "${statements}" PARENT_SCOPE)
    set(${list_out} "${list}" PARENT_SCOPE)
endfunction()

# Sets `out` to the compute capability that a file's header asks for ("Needs compute capability 9.0":
# 90), else to 75, the oldest that is built for.
function(capability_of text out)
    set(capability 75)
    if(text MATCHES "Needs +compute capability ([0-9]+)\\.([0-9])")
        set(capability ${CMAKE_MATCH_1}${CMAKE_MATCH_2})
    endif()
    set(${out} ${capability} PARENT_SCOPE)
endfunction()

# read_ladder_file(PATH): sets, in the caller's scope,
#   LADDER_CAPABILITY  see capability_of()
#   LADDER_CODE   the file in a namespace of its own. What it includes stands before the namespace.
#   LADDER_RECORDED  the same for g++ and our plugin; the file is looked for in the folders of headers
#   LADDER_ROWS   a line for each instantiation: LADDER_KERNEL(stem, TILE, PAD, kernel, launch function)
#   LADDER_CALLS  as LADDER_CODE, with each launch as launch_kernel(grid, block, kernel, arguments...)
#   LADDER_HOST   the file's host code, with each launch as launch_shape(grid, block)(arguments...);
#                launch_with(TILE, PAD, A, B, C, M, N, K), shared_bytes(TILE, PAD) and
#                shared_arrays(TILE, PAD), with TILE and PAD as numbers. A launch function that needs
#                them as constants (Tile<TILE>) is called with what is built in only
#   LADDER_ENTRY  a LadderFile (ladder_file.h), and the arrays that it points to in LADDER_HOST
function(read_ladder_file path)
    get_filename_component(stem ${path} NAME_WE)
    get_filename_component(folder ${path} DIRECTORY)
    string(REGEX REPLACE "^[0-9]+_" "" name ${stem})
    file(READ ${path} text)
    capability_of("${text}" capability)
    set(LADDER_CAPABILITY ${capability} PARENT_SCOPE)

    string(FIND "${text}" "void launch_${name}(" at)
    if(at EQUAL -1)
        message(FATAL_ERROR "${path}: add the function that launches the kernel, void launch_${name}("
                            "const float* A, const float* B, float* C, int M, int N, int K)")
    endif()
    string(SUBSTRING "${text}" 0 ${at} before)
    string(SUBSTRING "${text}" ${at} -1 launch)
    set(parameters "")
    set(arguments "")
    if(before MATCHES "template <([^<>]*)>[ \n]*$")
        string(REPLACE ", " ";" parameters "${CMAKE_MATCH_1}")
        list(TRANSFORM parameters REPLACE "^int " "")
        list(JOIN parameters ", " arguments)
        set(arguments "<${arguments}>")
    endif()
    foreach(parameter IN LISTS parameters)
        if(NOT parameter MATCHES "^(TILE|PAD)$")
            message(FATAL_ERROR "${path}: launch_${name} is a template of '${parameter}'; "
                                "use int TILE and int PAD only")
        endif()
    endforeach()
    if(NOT launch MATCHES "([A-Za-z0-9_]+)(<[A-Za-z0-9_, ]*>)?<<<")
        message(FATAL_ERROR "${path}: launch_${name} starts no kernel; write kernel<<<grid, block>>>")
    endif()
    set(kernel ${CMAKE_MATCH_1})
    set(kernel_arguments "${CMAKE_MATCH_2}")

    set(tiles 16)
    set(pads 0)
    string(REGEX MATCH "\n// Built  [^\n]*" built "${text}")
    if(built MATCHES "TILE ([0-9, ]+)")
        string(REGEX MATCHALL "[0-9]+" tiles "${CMAKE_MATCH_1}")
    endif()
    if(built MATCHES "PAD ([0-9, ]+)")
        string(REGEX MATCHALL "[0-9]+" pads "${CMAKE_MATCH_1}")
    endif()
    list(SORT tiles COMPARE NATURAL)
    list(SORT pads COMPARE NATURAL)

    set(space rung_${stem})
    set(rows "")
    foreach(tile IN LISTS tiles)
        foreach(pad IN LISTS pads)
            string(CONCAT row "LADDER_KERNEL(\"${stem}\", TILE, PAD, (${space}::${kernel}"
                   "${kernel_arguments}), (${space}::launch_${name}${arguments}))\n")
            string(REPLACE "TILE" ${tile} row "${row}")
            string(REPLACE "PAD" ${pad} row "${row}")
            string(APPEND rows "${row}")
        endforeach()
    endforeach()

    string(REGEX MATCHALL "(^|\n)#include [^\n]*" includes "${text}")
    list(JOIN includes "" includes)
    set(LADDER_CODE "${includes}\nnamespace ${space} {\n#include \"${path}\"\n}\n" PARENT_SCOPE)
    set(LADDER_RECORDED "${includes}\nnamespace ${space} {\n#include <${stem}.cu>\n}\n" PARENT_SCOPE)
    set(LADDER_ROWS "${rows}" PARENT_SCOPE)

    set(launched "([A-Za-z0-9_]+(<[A-Za-z0-9_, ]*>)?)<<<([^;]*)>>>\\(")
    string(REGEX REPLACE "${launched}" "launch_kernel(\\3, \\1, " calls "${text}")
    set(LADDER_CALLS "namespace ${space} {\n#line 1 \"${path}\"\n${calls}}\n" PARENT_SCOPE)

    host_code_of("${text}" host)
    string(REGEX REPLACE "${launched}" "launch_shape(\\3)(" host "${host}")
    shared_arrays_of(${path} "${text}" ${kernel} shared arrays)
    string(CONCAT shared "    std::int64_t bytes = 0;\n${shared}    return bytes;\n")
    string(CONCAT arrays "    std::vector<DeclaredArray> arrays;\n${arrays}    return arrays;\n")
    string(FIND "${host}" "void launch_${name}(" at)
    string(SUBSTRING "${host}" ${at} -1 launch)
    string(REGEX REPLACE "cudaFuncSet[A-Za-z]*\\([^;]*;" "" launch "${launch}")
    set(matrices "const float* A, const float* B, float* C, int M, int N, int K")
    set(any_value "[[maybe_unused]] std::int64_t TILE, [[maybe_unused]] std::int64_t PAD")
    if(launch MATCHES "<(TILE|PAD)")
        # The launch needs TILE and PAD as constants. Each generated function takes them as numbers, and
        # calls the instantiation for these among the built-in ones.
        set(needs_constants true)
        set(calls "")
        set(calls_for_shared "")
        set(calls_for_arrays "")
        foreach(tile IN LISTS tiles)
            foreach(pad IN LISTS pads)
                set(values "${arguments}")
                string(REPLACE "TILE" ${tile} values "${values}")
                string(REPLACE "PAD" ${pad} values "${values}")
                set(when "    if (TILE == ${tile} && PAD == ${pad}) return")
                string(APPEND calls "${when} launch_${name}${values}(A, B, C, M, N, K);\n")
                string(APPEND calls_for_shared "${when} shared_bytes_of<${tile}, ${pad}>();\n")
                string(APPEND calls_for_arrays "${when} shared_arrays_of<${tile}, ${pad}>();\n")
            endforeach()
        endforeach()
        string(CONCAT host "${host}\n"
            "void launch_with(int TILE, int PAD, ${matrices}) {\n${calls}}\n"
            "template <int TILE, int PAD>\nstd::int64_t shared_bytes_of() {\n${shared}}\n"
            "template <int TILE, int PAD>\n"
            "std::vector<DeclaredArray> shared_arrays_of() {\n${arrays}}\n")
        set(shared "${calls_for_shared}    return 0;\n")
        set(arrays "${calls_for_arrays}    return {};\n")
    else()
        set(needs_constants false)
        string(REGEX REPLACE "(template <[^<>]*>)?([ \n]*)void launch_${name}\\("
                             "\\2void launch_${name}(int TILE, int PAD, " host "${host}")
        string(APPEND host "\nconstexpr auto launch_with = launch_${name};\n")
    endif()
    list(JOIN tiles ", " tiles)
    list(JOIN pads ", " pads)
    list(FILTER includes EXCLUDE REGEX "cuda|cooperative_groups|mma")
    string(CONCAT host
        "namespace ${space} {\n"
        "constexpr int kTiles[] = {${tiles}};\nconstexpr int kPads[] = {${pads}};\n"
        "#line 1 \"${path}\"\n${host}\n"
        "std::int64_t shared_bytes(${any_value}) {\n${shared}}\n"
        "std::vector<DeclaredArray> shared_arrays(${any_value}) {\n${arrays}}\n}\n")
    set(LADDER_HOST "${host}" PARENT_SCOPE)
    set(takes_tile false)
    set(takes_pad false)
    set(has_fixed_block true)
    if("TILE" IN_LIST parameters AND NOT needs_constants)
        set(takes_tile true)
        if(NOT kernel_arguments MATCHES "TILE")
            set(has_fixed_block false)
        endif()
    endif()
    if("PAD" IN_LIST parameters AND NOT needs_constants)
        set(takes_pad true)
    endif()
    string(CONCAT entry
        "    {\"${stem}\", ${space}::kTiles, ${space}::kPads, ${takes_tile}, ${takes_pad}, "
        "${has_fixed_block},\n     ${space}::launch_with, ${space}::shared_bytes,\n     "
        "${space}::shared_arrays, \"${kernel}${kernel_arguments}\"},\n")
    set(LADDER_ENTRY "${entry}" PARENT_SCOPE)
endfunction()
