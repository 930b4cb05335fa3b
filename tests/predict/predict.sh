#!/bin/sh
# clsizer predict from end to end: predict.sh CLSIZER
set -u
clsizer=$1
kernels=$(dirname "$0")/../kernels
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
export XDG_DATA_HOME="$dir/data" # nothing was learned there
failed=0
command=predict

cat >"$dir/k.cl" <<'CL'
__kernel void scale(__global const float *in, __global float *out, float f, int n)
{
    int i = get_global_id(0);
    if (i < n)
        out[i] = in[i] * f * FACTOR;
}
__kernel void sum(__global const float *in, __global float *out, __local float *tmp)
{
    int l = get_local_id(0);
    tmp[l] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0)
        out[get_group_id(0)] = tmp[0] + tmp[1];
}
__kernel void column(__global const float *in, __global float *out)
{
    __local float t[32 * 64];
    int i = get_global_id(0), l = get_local_id(0);
    t[(l & 31) * 64] = in[i * 64];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = in[(int)t[l]];
}
CL
cat >"$dir/kinds.cl" <<'CL'
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
typedef float real;
__kernel void kinds(__global int *out, real f, int4 v, half h, __local int *bins)
{
    int i = get_global_id(0);
    atomic_inc(&bins[i & 3]);
    if (i < v.y)
        out[i] = f * v.x + h + bins[0];
}
CL

# expect STATUS PATTERN ARGUMENT...: exit status, and a pattern in what is printed (stdout and stderr)
expect()
{
    status=$1 pattern=$2
    shift 2
    "$clsizer" "$command" "$@" >"$dir/out" 2>&1
    got=$?
    if [ $got -ne "$status" ] || ! grep -Eq -e "$pattern" "$dir/out"; then
        echo "$command $*: status $got (expected $status), expected /$pattern/ in:"
        cat "$dir/out"
        failed=1
    fi
}

scale="--kernel scale --global 65536 --arg 2=1.5 --arg 3=65536"
# shellcheck disable=SC2086
{
    expect 0 'size +proved' $scale --local 64 --build-options '-DFACTOR=2.0f' "$dir/k.cl"
    expect 0 '^Chosen: [0-9]+' $scale --local 64 --build-options=-DFACTOR=2.0f --device generic-cpu "$dir/k.cl"
    expect 0 'size +proved' $scale --local 64 --build-options '-w -D "FACTOR=2.0f + 1"' "$dir/k.cl"
    expect 0 '^\{"schema":1,"kernel":"scale","device":"[^"]+","global":\[65536\],"candidates":\[\{"local":\[' \
        $scale --json --build-options -DFACTOR=2 "$dir/k.cl"
    expect 0 '(^|[^0-9])1024 +[*a-z]' $scale --local 7 --local 1024 --only --build-options -DFACTOR=2 "$dir/k.cl"
    expect 0 '"device":"Quadro K620"' $scale --device k620 --json --build-options -DFACTOR=2 "$dir/k.cl"
    expect 0 'duplicate-of [0-9]+ ' $scale --local 64 --build-options -DFACTOR=2 "$dir/k.cl"
    expect 0 ' 0 simulated' $scale --estimator bounds --build-options -DFACTOR=2 "$dir/k.cl"
    expect 0 'memory: MWP [0-9.]+ of CWP [0-9.]+ with [0-9]+ warps: bandwidth of accesses, most of them uncoalesced .32' \
        --kernel column --global 262144 --local 256 --estimator mwp --explain --buffer 0=67108864 --build-options -DFACTOR=2 \
        "$dir/k.cl"
    expect 0 "advice: coalesce 'in': store it transposed .line 19.: [0-9.]+ us instead of [0-9.]+ us, [0-9.]+ times as fast" \
        --kernel column --global 262144 --local 256 --explain --buffer 0=67108864 --build-options -DFACTOR=2 "$dir/k.cl"
    expect 2 'estimator param is for GPUs' $scale --estimator param --device cpu --build-options -DFACTOR=2 "$dir/k.cl"
    expect 2 'estimator mwp is for GPUs' $scale --estimator mwp --device generic-cpu --build-options -DFACTOR=2 "$dir/k.cl"
    expect 2 'expected median, pipeline, bounds, mwp, param, learned or all' $scale --estimator best --build-options -DFACTOR=2 "$dir/k.cl"
    expect 0 'cache +pipeline us +bounds us +mwp us +param us' $scale --estimator all --build-options -DFACTOR=2 "$dir/k.cl"
    expect 0 '"estimates":\{"median":[0-9.]+,"pipeline":[0-9.]+,"bounds":[0-9.]+,"mwp":[0-9.]+,"param":[0-9.]+\}' $scale --estimator all --json \
        --build-options -DFACTOR=2 "$dir/k.cl"
    expect 0 '"estimates":\{"pipeline":[0-9.]+,"bounds":[0-9.]+\}' $scale --estimator all --json --device cpu \
        --build-options -DFACTOR=2 "$dir/k.cl"
    expect 0 '"estimates":\{"mwp":[0-9.]+\}.*"advice":\[[^]]*\]\}$' $scale --estimator mwp --json --build-options -DFACTOR=2 "$dir/k.cl"
    expect 0 '"metrics":\{"compute_busy":[0-9.]+,.*"hotspots":\[.*\],"suggested":\[[0-9]+\]\}\}$' $scale --estimator param --json --build-options -DFACTOR=2 "$dir/k.cl"
    expect 0 '^1024 candidates, .* [1-9][0-9]* simulated' $scale --all-sizes --build-options -DFACTOR=2 "$dir/k.cl"
    expect 0 '^1024 candidates, .* 1024 simulated' $scale --all-sizes --simulate-all --build-options -DFACTOR=2 \
        "$dir/k.cl"
    expect 0 'Analysis took [0-9.]+ ms' $scale --timing --build-options -DFACTOR=2 "$dir/k.cl"
    expect 0 'global load from .in. 4 bytes, 32 lanes, 1 transactions  .line 5.' $scale --local 64 --trace \
        --build-options -DFACTOR=2 "$dir/k.cl"
    expect 0 'occupancy: [0-9]+ of [0-9]+ warps are resident' $scale --explain --build-options -DFACTOR=2 "$dir/k.cl"
    # of near ties not the longest row, where rows go across memory
    expect 0 '^Chosen: [124]x' --kernel gaussian_fan2 --global 1024,1024 --arg 3=1024 --arg 4=0 --local 4,4 \
        --buffer 0=4194304 --buffer 1=4194304 --buffer 2=4096 --device generic-cpu "$kernels/rodinia_gaussian.cl"
    expect 0 'all accesses are coalesced' $scale --explain --build-options -DFACTOR=2 "$dir/k.cl"
    expect 0 'uncoalesced load from .in. in line 19: 32 transactions' --kernel column --global 4096 --local 64 --explain \
        --buffer 0=1000000 --build-options -DFACTOR=2 "$dir/k.cl"
    # an unrolled loop is one place
    printf '%s\n' 'kernel void unrolled(global const float *in, global float *out) { float s = 0;' \
        'for (int k = 0; k < 4; k++) s += in[(get_global_id(0) * 4 + k) * 64];' 'out[get_global_id(0)] = s; }' >"$dir/u.cl"
    expect 0 'uncoalesced load from .in. in line 2: 32 transactions for 32 work-items, 4 times per warp' --kernel unrolled \
        --global 4096 --local 64 --explain --buffer 0=4194304 "$dir/u.cl"
    expect 0 'bank conflicts: store to .t. in line 19: 32 turns' --kernel column --global 4096 --local 64 --explain \
        --buffer 0=1000000 --build-options -DFACTOR=2 "$dir/k.cl"
    expect 0 'unknown address.*load from .in. in line 21: 32 transactions' --kernel column --global 4096 \
        --local 64 --explain --build-options -DFACTOR=2 "$dir/k.cl"
    expect 0 "Argument 3 'n' has no value: .*--arg 3=VALUE" --kernel scale --global 1024 \
        --build-options -DFACTOR=2 "$dir/k.cl"
    expect 0 '2 buffers without a size: 4 bytes per work-item assumed; give --buffer 0=BYTES and so on' $scale \
        --build-options -DFACTOR=2 "$dir/k.cl"
    expect 0 '1 buffer without a size.*--buffer 1=BYTES' $scale --buffer 0=4 --build-options -DFACTOR=2 "$dir/k.cl"
    expect 0 'cannot be launched: it has more work-items than a work-group may have' $scale --local 4096 --explain \
        --build-options -DFACTOR=2 "$dir/k.cl"
    expect 1 'FACTOR' $scale "$dir/k.cl"
    [ "$(wc -l <"$dir/out")" -eq 1 ] || { echo "a program that does not compile is complained about twice"; failed=1; }
    expect 1 'has no kernel .nope.; it has: scale sum' --kernel nope --global 64 --build-options -DFACTOR=2 "$dir/k.cl"
    expect 0 'size +no: fact S' --kernel sum --global 1024 --local 128 --arg 2=512 --build-options -DFACTOR=2 \
        "$dir/k.cl"
    expect 0 'argument-unknown' --kernel scale --global 1024 --build-options -DFACTOR=2 "$dir/k.cl"
    named="--kernel scale --global 1000 --build-options -DFACTOR=2"
    for given in '--arg 2=2 --arg 3=1000 --buffer 0=400' '--arg f=2 --arg n=1000 --buffer in=400'; do
        "$clsizer" predict $named $given "$dir/k.cl" >"$dir/given.$((i = ${i:-0} + 1))" 2>&1
    done
    cmp "$dir/given.1" "$dir/given.2" && grep -q '^1 buffer without' "$dir/given.2" || { echo "arguments by name"; failed=1; }
    for size in 1000x48 1000,48; do
        expect 0 '^8x4 +[*]' $named --global $size --local 8x4 --local 16,2 --offset 0x4 "$dir/k.cl"
        cp "$dir/out" "$dir/size.$size"
    done
    cmp "$dir/size.1000x48" "$dir/size.1000,48" || { echo "sizes with x and with commas"; failed=1; }
    for size in 1000x 10x0x4 10xx4 1x2x3x4 x 10X4 10x-4; do
        expect 2 "[-]-global .$size.: expected X\\[xY\\[xZ\\]\\]" --kernel scale --global $size "$dir/k.cl"
    done
    expect 2 'scale has no argument m; it has in out f n$' $named --arg m=3 "$dir/k.cl"
    expect 2 'scale has no argument out2; it has in' $named --buffer out2=3 "$dir/k.cl"
    expect 2 'scale has no argument 4; it has in' $named --arg 4=3 "$dir/k.cl"
    expect 2 'scale has no argument 3n; it has in' $named --arg 3n=3 "$dir/k.cl"
    expect 2 '[-]-arg .n.: expected ARG=VALUE' $named --arg n "$dir/k.cl"
    expect 2 '[-]-arg .=3.: expected ARG=VALUE' $named --arg =3 "$dir/k.cl"
    expect 2 '[-]-buffer .in=x.: expected ARG=BYTES' $named --buffer in=x "$dir/k.cl"
    # rows by the time that they print; what is chosen need not be the first
    for device in cpu generic-gpu; do
        expect 0 '^Chosen: [0-9]+ .nearly equal times count as equal' $named --device $device --local 7 --arg n=1000 "$dir/k.cl"
        awk '$1 ~ /^[0-9]+$/ && /groups|range|warps/ { print $(NF - 6) }' "$dir/out" >"$dir/times"
        [ "$(wc -l <"$dir/times")" -eq 17 ] && sort -cg "$dir/times" || { echo "$device: rows in another order"; failed=1; }
    done
    expect 0 '^7 +[*]~ ' $named --local 7 --arg n=1000 "$dir/k.cl"
    expect 0 "^~ does not divide the range: for drivers with OpenCL 2's non-uniform groups" $named --local 7 "$dir/k.cl"
    expect 0 '^8 +[*]  ' $named --local 8 "$dir/k.cl"
    ! grep -q '^~' "$dir/out" || { echo "all sizes divide the range, and ~ is explained"; failed=1; }
    expect 0 'time: by pipeline; mwp and param are for GPUs; traffic' $named --device cpu --estimator all "$dir/k.cl"
    expect 0 '^  jetson-tk1 +Jetson TK1$' --list-devices
    expect 2 'value does not fit' $scale --arg 3=70000000000 --build-options -DFACTOR=2 "$dir/k.cl"
}

# Where to run it ([C] 4.5): a device of another tool, whose times are made up here; copies by [R] eq. 4.2.
cat >"$dir/fpga" <<'CL'
name = Some FPGA  # another tool's
fixed_ms gemm = 900  # one whose times are not ours
fixed_ms mv_rows = 20
CL
poly=$(dirname "$0")/poly.cl
gemm="--kernel gemm --global 1024,1024 --arg 3=1 --arg 4=1 --arg 5=1024 --arg 6=1024 --arg 7=1024 --buffer 0=4194304"
rows="--kernel mv_rows --global 2048 --arg 3=2048 --arg 4=2048 --buffer 0=16777216"
conv="--device cpu --device gtx-460 --kernel conv2d_3x3 $kernels/polybench_conv.cl --launches 100"
copy="--device gtx-460 --device jetson-tk1 --kernel scale --global 65536 --arg 2=1 --arg 3=65536 --build-options -DFACTOR=2"
# shellcheck disable=SC2086
{
    expect 0 '^16x4 .* 18652$' $gemm --global 64x64 --arg 5=200000 --arg 6=200000 --arg 7=200000 --local 16x16 "$poly"
    ! grep -E '[0-9]e[+-]' "$dir/out" || { echo "numbers with exponents"; failed=1; }
    expect 0 '^Chosen: Jetson TK1' --device jetson-tk1 --device "$dir/fpga" $gemm --local 32,32 --only "$poly"
    expect 0 '^Chosen: Some FPGA' --device jetson-tk1 --device "$dir/fpga" $rows --local 256 --only "$poly"
    expect 0 'Some FPGA +- +20000.000 +0.000 +20000.000  as given' --device "$dir/fpga" --device jetson-tk1 $rows "$poly"
    expect 0 'Some FPGA +not known' --device "$dir/fpga" --device jetson-tk1 --kernel mv_columns --global 64 --arg 3=64 --arg 4=64 "$poly"
    expect 0 '"total_us":20000.0\}.*"chosen":"Some FPGA"' --device "$dir/fpga" --device jetson-tk1 $rows --local 256 --only --json "$poly"
    expect 0 'GeForce GTX 460 .* 2525.253 ' $copy --buffer 0=1000000 --buffer 1=1000000 "$dir/k.cl"
    expect 0 'GeForce GTX 460 .* 40000.000 ' $copy --buffer 0=100000000 --buffer 1=100000000 "$dir/k.cl"
    expect 0 'Jetson TK1 .* 0.000 ' $copy "$dir/k.cl"
    expect 0 '^Chosen: generic CPU' $conv --global 64,64 --arg 2=64 --arg 3=64
    expect 0 'GTX 460 .* faster than generic CPU from launch [0-9]+ on' $conv --global 4096,4096 --arg 2=4096 --arg 3=4096
    expect 0 '^Chosen: GeForce GTX 460' $conv --global 4096,4096 --arg 2=4096 --arg 3=4096
    expect 0 'scale on 1[0-9] devices' --devices all --kernel scale --global 4096 --build-options -DFACTOR=2 "$dir/k.cl"
    expect 2 "expected all" --devices some $gemm "$poly"
    for one in --explain --trace --features --timing '--estimator all'; do
        expect 2 "^clsizer predict: $one tells of one device" --devices all $one $gemm "$poly"
        expect 2 "^clsizer predict: $one tells of one device" $copy $one "$dir/k.cl"
    done
    expect 2 '^clsizer predict: --launches compares devices' --launches 4 $gemm "$poly"
    expect 2 '^clsizer predict: --loops is for --from-c' --loops 2 $gemm "$poly"
    expect 2 "^clsizer predict: .*/fpga. has only another tool's times" --device "$dir/fpga" $gemm "$poly"
    expect 2 "neither a built-in device nor a file" --device jetson-tk1 --device nowhere $gemm "$poly"
}

# Numbers that are none: a kernel that does nothing, a device where nothing takes time.
echo '__kernel void nothing(__global int *a) {}' >"$dir/nothing.cl"
sed -E 's/^((latency|delay)[.].*|.*[._](latency|delay)) = .*/\1 = 0 cycles # assumed/; s/^(.*_ns) = .*/\1 = 0 ns # assumed/' \
    "$(dirname "$0")/../../devices/quadro-k620.dev" >"$dir/timeless"
printf 'fixed_ms nothing = inf\n' >"$dir/inf"
nothing="--kernel nothing --global 1024 $dir/nothing.cl"
for estimator in median pipeline param; do
    for device in k620 "$dir/timeless"; do
        for form in --explain --json; do
            # shellcheck disable=SC2086
            expect 0 nothing $nothing --device "$device" --estimator $estimator --features $form
            ! grep -Eiw 'nan|inf|infinity|busy 100 %' "$dir/out" || { echo "$device, $estimator: what is none of these"; failed=1; }
        done
    done
done
# shellcheck disable=SC2086
expect 0 '"known":false' $nothing --device k620 --device "$dir/inf" --json
# shellcheck disable=SC2086
if "$clsizer" $command $nothing --json 2>"$dir/out" >/dev/full || ! grep -q 'No space left' "$dir/out"; then
    echo "a full disk:"; cat "$dir/out"; failed=1
fi

# Each size has the times that it has with one estimator alone.
# shellcheck disable=SC2086
for estimator in bounds mwp; do
    for kind in $estimator all; do
        "$clsizer" $command $scale --build-options -DFACTOR=2 --estimator $kind --json "$dir/k.cl" |
            grep -Eo "\"local\":\[[0-9]+\]|\"$estimator\":[0-9.]+" | paste - - | sort >"$dir/$kind"
    done
    if [ ! -s "$dir/all" ] || ! cmp -s "$dir/$estimator" "$dir/all"; then
        echo "--estimator all, $estimator: other times"; failed=1
    fi
done

# Arguments of all kinds: named types, vectors, halves, local memory.
kinds="--kernel kinds --global 4096 --local 64 $dir/kinds.cl"
# shellcheck disable=SC2086
{
    expect 0 'bank conflicts: atomic on .bins. in line 6: 8 turns' --arg 1=-1.5e3 --arg 2=1,2,3,4 --arg 3=0.1 --arg 4=16 \
        --explain $kinds
    expect 0 "Argument 4 'bins' has no size: its local memory is not counted; give --arg 4=BYTES" $kinds
    expect 2 "argument 1 'f' is real: that value does not fit" --arg 1=1e999 $kinds
    expect 2 "argument 2 'v' is int4: that value does not fit" --arg 2=1,2 $kinds
    expect 2 "argument 2 'v' is int4: that value does not fit" --arg 2=1 $kinds
    expect 2 "argument 3 'h' is half: that value does not fit" --arg 3=70000 $kinds
    expect 2 "argument 0 'out' is int.: give its size with --buffer" --arg 0=1 $kinds
    expect 2 "argument 1 'f' is real: not a buffer" --buffer 1=64 $kinds
    expect 2 "argument 4 'bins' is int.: that value does not fit" --buffer 4=4294967296 $kinds
    expect 2 "argument 1 'f' is .*: that value does not fit" --arg f=bytes:0000c0 $kinds
    expect 2 "argument 1 'f' is .*: that value does not fit" --arg f=bytes:0000c03f00 $kinds
    expect 2 "argument 1 'f' is .*: that value does not fit" --arg f=bytes:0000c03x $kinds
    expect 2 'more than 2.56 work-items' $kinds --global 1099511627776,1099511627776
}

# Numbers that are known: log2(1 + x).
# features FILE KERNEL SIZE ARGUMENT 'NAME VALUE'...
features()
{
    file=$1 kernel=$2 size=$3 argument=$4
    shift 4
    for line; do
        expect 0 "^  $line\$" --device k20 --features --kernel "$kernel" --global 1024,1024 --local "$size" --only --arg 5=1024 \
            --arg 6=1024 --arg "$argument=1024" --buffer 0=4194304 --buffer 1=4194304 --buffer 2=4194304 "$file"
    done
}
features "$kernels/polybench_mm.cl" gemm 32,8 7 'global loads per work-item +11.002' 'global stores per work-item +1.585' \
    'iterations of loops +10.001' 'branches that end no loop +1.000' 'work-items per group +8.006' \
    'groups per unit +8.304' 'barriers +0.000'
sed 's/c, int n)/c, float u, int v, int w, int n)/' "$(dirname "$0")/poly.cl" >"$dir/poly.cl"
features "$dir/poly.cl" mm_tiled 32,32 6 'local bytes +13.000' 'local stores per work-item +6.022' \
    'local loads per work-item +11.001' 'barriers +6.022' 'active warps, of the most +1.000'
expect 0 '"features":\{"global size 0":12.00' --device cpu --kernel scale --global 4096 --build-options -DFACTOR=2 --json --features \
    "$dir/k.cl"

expect 0 '"device":"generic CPU"' --device cpu --kernel scale --global 4096 --build-options -DFACTOR=2 --json "$dir/k.cl"
expect 2 'missing' --kernel scale "$dir/k.cl"
expect 2 'expected X' --kernel scale --global "8;8" "$dir/k.cl"
expect 2 'unknown option' --frobnicate
expect 2 '^  quadro-k620 +Quadro K620$' --kernel scale --global 64 --device no-such "$dir/k.cl"
expect 2 "'no-such' is neither a built-in device nor a file" --kernel scale --global 64 \
    --device no-such "$dir/k.cl"
expect 2 "^  cpu +generic-cpu\$" --kernel scale --global 64 --device no-such "$dir/k.cl"
expect 2 'k.cl:1: ' --kernel scale --global 64 --device "$dir/k.cl" "$dir/k.cl"
expect 2 "argument 2 'tmp' .* that value does not fit" --kernel sum --global 64 --arg 2=12x \
    --build-options -DFACTOR=2 "$dir/k.cl"
expect 2 'part of several' --kernel scale --global 64 --device quadro "$dir/k.cl"
expect 1 'missing.cl: No such file' --kernel scale --global 64 "$dir/missing.cl"
expect 1 'is a directory|Is a directory' --kernel scale --global 64 "$dir"
expect 1 'has no kernel .scale.; it has none' --kernel scale --global 64 /dev/null
expect 2 "unknown option '-'" --kernel scale --global 64 -
expect 0 'usage' --help
expect 0 'usage' -h

# results PROGRAMS FEATURE PREDICTED: a results file; twelve sizes s of each, which take 1 + s; Python's words
results()
{
    "$clsizer" predict --device cpu --json --features --kernel scale --global 64 --build-options -DFACTOR=2 "$dir/k.cl" |
        python3 -c '
import json, math, sys
names = list(json.load(sys.stdin)["candidates"][0]["features"])
def features(s):
    return {**dict.fromkeys(names, 0), names[0]: 1 + ('"$2"'), names[-1]: math.log2(1 + ('"$3"'))}
launch = {"pairs": [[str(s + 1), 0, 1 + s, "kept"] for s in range(12)], "features": [features(s) for s in range(12)]}
device = {"name": "D", "vendor": "V", "driver": "1", "gpu": False}
print(json.dumps({"device": device, "static": {f"p{p}/k{p}": launch for p in range('"$1"')}}))' >"$dir/results.json"
}
command=learn
results 10 s 's * 7 % 12 + 1' # the model knows nothing, what is learned all
expect 0 '^  learned +1.00 \(1\) +1.000 +1.000 +1.00 +1.00$' --report "$dir/results.json"
expect 0 '^  model .* 0.24$' --report "$dir/results.json"
expect 0 '^  random +6.50 \(6.5\) +6.500 ' --report "$dir/results.json" # one good size of twelve
expect 0 '^Both order sizes by .0.[2-9].*both decide what is measured first' --report "$dir/results.json"
expect 0 '^  global size 0 +0.[45]' --report "$dir/results.json"
expect 0 '^120 points of 10 races of 10 kernels; in 10 races the size matters$' --report "$dir/results.json"
mkdir "$dir/wisdom"
expect 1 'no race has left points' --wisdom "$dir/wisdom" --report
expect 1 'no race has left points' --wisdom "$dir/wisdom"
expect 0 'results.json: 10 races$' --wisdom "$dir/wisdom" "$dir/results.json"
expect 0 ': 10 races$' --wisdom "$dir/wisdom" "$dir/results.json" # the same launches: not twice
expect 0 'points: 10 races$' --wisdom "$dir/wisdom"
expect 0 '^120 points of 10 races' --wisdom "$dir/wisdom" --report
cp "$dir"/wisdom/*.points "$dir/points"
expect 0 'both decide what' --report "$dir/points"
expect 2 'a directory of wisdom, which --wisdom does not name' --wisdom "$dir/w.jsonl" "$dir/points"
sed -i '4s/\[/[x/' "$dir/points"
expect 2 'points:4: is damaged' --report "$dir/points"
expect 2 'points:4: is damaged' --wisdom "$dir/wisdom" "$dir/points"
sed -i '1s/"kind"/"kind/' "$dir/points"
expect 2 'points:1: is not the head of a file of points' --report "$dir/points"
sed -i '1s/:1,/:2,/' "$dir/points"
expect 2 'points:1: is of a newer version' --report "$dir/points"
expect 2 'No such file' --report "$dir/no-such"
expect 2 'a directory of wisdom' --wisdom none --report
expect 2 usage --reports
expect 0 '^usage' --help
results 10 0 's + 1' # the other way round
expect 0 '^Both order sizes by .0.000 .*the model decides what is measured first' --report "$dir/results.json"
expect 0 '^  global size 0 +0.000$' --report "$dir/results.json"
results 2 s 's * 7 % 12 + 1' # too few
expect 0 '^Both order sizes by .0.[2-9].*the model decides what is measured first' --report "$dir/results.json"
echo '{"static":{"p/k":{"pairs":[["1",1,1,"kept"]],"features":[null]}}}' >"$dir/results.json"
expect 1 'no measured sizes with features' --report "$dir/results.json"
echo '{}' >"$dir/results.json"
expect 2 "holds neither points nor results" "$dir/results.json"

# What is learned from the sizes of another launch: those that are like the fastest ones come first.
command=predict
CLSIZER_WISDOM=$dir/wisdom
export CLSIZER_WISDOM
learned="--kernel scale --global 4096 --build-options -DFACTOR=2 $dir/k.cl"
# points WEIGHT: a file of points, of sizes of this kernel; those of s work-items took 2000 + WEIGHT * log2(s).  Pruned
# sizes stay what they are: the smallest that is kept has 64 work-items, the largest 2048.
points()
{
    "$clsizer" predict --device cpu --json --features $learned | python3 -c '
import json, math, sys
c = [c for c in json.load(sys.stdin)["candidates"] if c["features"]]
time = [2000 + '"$1"' * int(math.log2(c["local"][0])) for c in c]
print("{\"clsizer-points\":1,\"kind\":\"cpu\",\"device\":\"D|V|1\",\"points\":0,\"races\":0,\"kernels\":0,\"of\":0,\"model\":0,\"both\":0}")
for repeated in range(5):
    print("{\"kernel\":\"k%d\",\"program\":\"0\",\"shape\":\"0\",\"sizes\":[" % repeated + ",".join(
        json.dumps([c["local"][0], 1, 1, 3, round(1000 * t / min(time)), *(round(1000 * f) for f in c["features"].values())],
                   separators=",:")
        for c, t in zip(c, time)) + "],\"own\":false}")' >"$dir/points"
}
points 100
expect 0 '^Chosen: 32$' --device cpu --estimator learned --points "$dir/points" $learned
points -100
expect 0 '^Chosen: 2048$' --device cpu --estimator learned --points "$dir/points" $learned
expect 0 'learned us$' --device cpu --estimator all --points "$dir/points" $learned
expect 0 'learned: from [0-9]+ sizes of 5 launches' --device cpu --estimator learned --points "$dir/points" $learned
expect 0 '"estimates":\{"learned":[0-9.]+\}' --device cpu --estimator learned --json --points "$dir/points" $learned
expect 1 'no sizes were measured on H200' --device h200 --estimator learned $learned # those of D are a CPU's
expect 0 'learned: from 120 sizes of 10 launches' --device cpu --estimator learned $learned
expect 0 'param us$' --device h200 --estimator all $learned
expect 0 '^learned: nothing was measured on the device' --device h200 --estimator all $learned
expect 2 'points is for --estimator learned' --device cpu --points "$dir/points" $learned
expect 2 'estimator learned tells of one device' --devices all --estimator learned $learned
expect 2 'no-such: No such file' --device cpu --estimator learned --points "$dir/no-such" $learned
sed -i '3s/\[/[x/' "$dir"/wisdom/*.points
expect 1 'points:3: is damaged' --device cpu --estimator learned $learned
expect 0 'points:3: is damaged' --device cpu --estimator all $learned
exit $failed
