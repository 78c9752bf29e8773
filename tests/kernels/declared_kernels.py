"""What the kernels of the ladder declare about themselves, as `tilereel kernels --json` prints it."""
import json
import re
import subprocess


def declared_kernels(tilereel):
    """{"09_tiled": {"tiles": [4, 8], "kernel": "tiled<TILE, PAD>", "launch": "launch_tiled<TILE, PAD>", ...}}"""
    says = subprocess.run([tilereel, "kernels", "--json"], capture_output=True, text=True, check=True).stdout
    return {kernel["id"]: kernel for kernel in json.loads(says)}


def with_numbers(function, tile, pad):
    """"launch_tiled<TILE, PAD>" with numbers: "launch_tiled<16, 1>" """
    return function.replace("TILE", str(tile)).replace("PAD", str(pad))


def parameters_of(function):
    """The template parameters of "tiled<TILE, PAD>" in order: ["TILE", "PAD"]"""
    return re.findall(r"TILE|PAD", function)
