"""Numbers and reasons in words."""

import functools
import os
import subprocess


def number(x, digits=3):
    """So many significant digits at least, none after the point where they say nothing."""
    if x is None:
        return ""
    for limit in range(digits - 1, 0, -1):
        if abs(x) < 10 ** (digits - limit):
            return f"{x:.{limit}f}"
    return f"{x:.0f}"


def ms(us):
    return number(us / 1000) if us else "0"


def count(n):
    """12345678 as 12.3M"""
    for limit, unit in ((1e9, "G"), (1e6, "M"), (1e5, "k")):
        if n >= limit:
            return number(n / (1e3 if unit == "k" else limit)) + unit
    return str(n)


def percent(x):
    return "" if x is None else f"{100 * x:.0f} %" if x >= 0.0995 or not x else f"{100 * x:.1f} %"


def gain(shape):
    """"4.94 ±0.31"; "" where nothing was found out."""
    if shape.gain is None:
        return ""
    error = shape.gain_error
    return f"{shape.gain:.2f}" + (f" ±{error:.2f}" if error else "")


@functools.lru_cache
def explanations():
    """{reason: words}, as `clsizer --reasons` has them."""
    command = os.environ.get("CLSIZER_COMMAND", "clsizer")
    try:
        table = subprocess.run([command, "--reasons"], capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return {}
    rows = (line.split(None, 1) for line in table.splitlines() if line.startswith("  "))
    return {row[0]: row[1].strip() for row in rows if len(row) == 2}


# Of these the detail says all that the reason does, with numbers.
WHOLE = {"little-time", "few-launches", "analysis-unfinished", "race-unfinished"}


def why(shape):
    """The reason in words: "the kernel uses __local memory, line 12 (variable tile)"."""
    event = shape.verdict
    detail, reason = event.get("detail", ""), shape.reason
    text = explanations().get(reason, "")
    if shape.state == "decided":
        text = {"faster": "measured to be faster", "variant-faster": f"the rewritten kernel {shape.variant} is faster",
                "no-gain": "nothing was faster by enough", "asked-for": "--sizes says so"}.get(reason, text)
        earlier = event.get("source") == "wisdom" and event.get("reason") == reason
        return (text + (", in an earlier run" if earlier else "")
                + (" (a dry run: nothing was changed)" if shape.dry_run else ""))
    if not text or text == detail or (detail and reason in WHOLE):
        return detail or reason
    place = f", line {shape.line}" if shape.line else ""
    return f"{text}{place}" + (f" ({detail})" if detail else "")


# What a programmer could change, so that the kernel's size may be chosen.
ADVICE = {
    "barrier": "Where the barrier only orders accesses of one work-item, remove it. Otherwise the size belongs to the algorithm.",
    "driver-barriers": "Remove the barrier if nobody needs it: then this driver's code no longer depends on the size.",
    "local-memory": "If each work-item uses only its own part of the __local array, make it a private variable.",
    "required-size": "Remove reqd_work_group_size, or make it work_group_size_hint.",
    "sub-group": "Without sub-group functions the size could be chosen.",
    "work-group-function": "Copy with plain loads and stores: where __local memory is not shared, it then can be private.",
    "local-size-observed": "Do not compute results from get_local_size(): pass what is meant as an argument.",
    "local-id-observed": "Use get_global_id(); derive a position in a tile by % with a constant of your own.",
    "group-id-observed": "Derive the block's number from get_global_id() / BLOCK with a constant of your own.",
    "num-groups-observed": "Pass the number of blocks as an argument, instead of get_num_groups().",
    "spin-loop": "A loop that waits for another work-item is not portable: divide the kernel in two launches.",
    "ordered-atomic": "Use atomics whose order does not matter (add, min, max, or, and), and do not use what they return.",
    "printf": "Remove printf() when you are done with debugging.",
    "volatile": "Remove volatile: global memory that other work-items write is not made safe by it.",
    "undefined-value": "Give the variable a value on every path.",
    "undefined-by-arguments": "Give the variable a value on every path.",
    "undefined-component": "Give the texel's other components a value, or write to an image with one channel.",
    "undefined-bytes": "Give padding and unused vector elements a value before the whole is stored.",
    "driver-order": "Decide what to store before it is stored, so that each place is stored to once; keep small arrays in variables.",
    "driver-loops": "Give loops a bound that the arguments tell, and each work-item less to do: this driver ends them without a word.",
    "driver-exits": "Begin with if (get_global_id(0) >= n) return; or let all work-items go round loops equally often, doing nothing "
                    "once they are done: what this driver makes of them may be wrong with your own size, too.",
    "driver-reloads": "Store to an array only when all that was loaded from there has been used: this driver may find what was stored, "
                    "with your own kernel, too.",
    "driver-quotients": "Write INFINITY or NAN where that is meant, instead of a division by 0.",
    "undefined-overflow": "Use unsigned or wider integers, or guard the division, so that nothing overflows.",
    "undefined-conversion": "Clamp the number before it is converted to an integer, or use convert_int_sat().",
    "undefined-alias": "Use a union, or as_int() and the like, instead of a cast of the pointer.",
    "nan-bits": "Put the number through clamp() or fmax() before copysign(), signbit() or as_int(): no NaN is left then.",
    "unknown-pointer": "Access buffers by index from the kernel's arguments, not by pointers that come from memory.",
    "unknown-function": "Give the function a body in the same program, or use a built-in function of OpenCL C.",
    "scattered-writes": "Write where ids, arguments and counters of loops say, by sums and products; compute other positions in a kernel of their own.",
    "overlapping-writes": "Let each work-item write places of its own. Are arguments in the way, such as a stride of 0?",
    "aliased-arguments": "Give the kernel separate buffers for what it reads and what it writes.",
    "reads-what-it-writes": "Write to another buffer than is read.",
    "index-overflow": "Compute indices in size_t or int, without wrapping at 32 bits.",
    "large-range": "Hold ids in size_t.",
    "argument-unknown": "Set the argument with clSetKernelArg(), so that it can be seen.",
    "svm-argument": "Use a buffer, or memory of clSVMAlloc() or clDeviceMemAllocINTEL() that the host does not use itself.",
    "non-uniform-groups": "Make the global size a multiple of the local size.",
    "data-dependent-work": "Nothing needs to change: the size is chosen on whole launches.",
    "too-large": "Divide the kernel, or unroll less.",
    "program-variable": "Write results to a buffer instead of a program-scope variable.",
    "from-binary": "Delete the program's store of compiled kernels once (`clsizer doctor` names the usual ones), and run it again.",
    "no-source": "Run with the launcher or the layer from the start, so that the program's build is seen.",
    "built-in-kernel": "The driver's own code cannot be analysed.",
    "relaxed-math": "Build without -cl-fast-relaxed-math, or allow other last bits with --relaxed.",
    "driver-rounds": "Allow other last bits with --relaxed, if your program can bear them.",
    "unsupported-option": "Build with options that OpenCL defines.",
    "builds-overlap": "Build the program once, in one thread.",
    "several-queues": "Launch kernels in one in-order queue per device with this driver.",
    "sub-device": "Use the whole device.",
    "mixed-devices": "Make a context per device.",
    "not-selected": "--kernels leaves it out.",
    "no-candidates": "A global size with more divisors, a power of two for example, would leave a choice.",
    "many-shapes": "Round global sizes up, and let the kernel return early: fewer shapes are easier to learn.",
    "little-time": "Too short to matter; --analyse-after 0 looks at it nevertheless.",
    "few-launches": "Run the program again.",
    "race-unfinished": "Run the program again, or once with --effort patient.",
    "analysis-unfinished": "Run the program again.",
    "not-timed": "--effort patient looks at once.",
    "too-noisy": "Run it again on a quieter machine, or with --effort patient.",
}


def modelled(piece):
    """A piece of an event "advice": what would make the kernel faster, by the model."""
    place = f" (line {piece['line']})" if piece.get("line") else ""
    text, now, then = piece.get("text", ""), piece.get("now_us"), piece.get("then_us")
    return f"{text[:1].upper()}{text[1:]}{place}" + (f": {now / then:.3g} times as fast by the model." if now and then else ".")


def advice(shape):
    """[sentence]: what leaves the size open to choice, and what makes a kernel faster that takes its part of the time."""
    done = shape.state == "decided" and shape.reason != "too-noisy"
    why_not = ADVICE.get(shape.reason, "") if not done else ""
    pieces = [] if shape.is_small else shape.last.get("advice", {}).get("advice", [])
    return [why_not] * bool(why_not) + [modelled(p) for p in pieces]
