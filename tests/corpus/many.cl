/* many.cl - kernels that touch one buffer at many places, as generated ones do (S3D's ratt_kernel: over 200). */

#define TIMES4(F, q)   F(q) F(q + 1) F(q + 2) F(q + 3)
#define TIMES16(F, q)  TIMES4(F, q) TIMES4(F, q + 4) TIMES4(F, q + 8) TIMES4(F, q + 12)
#define TIMES64(F, q)  TIMES16(F, q) TIMES16(F, q + 16) TIMES16(F, q + 32) TIMES16(F, q + 48)
#define TIMES256(F, q) TIMES64(F, q) TIMES64(F, q + 64) TIMES64(F, q + 128) TIMES64(F, q + 192)

#define MANY(NAME, BODY)                                                                                     \
    __kernel void NAME(__global float *out, __global const float *in, int n)                                 \
    {                                                                                                        \
        int i = get_global_id(0);                                                                            \
        float t = in[i];                                                                                     \
        BODY                                                                                                 \
    }

#define ROW(q) out[(q) * n + i] = t * (q);
MANY(rows, TIMES256(ROW, 0))
// >>> rows 4096 n=4096 : proved
// >>> rows 4096 n=5000 : proved
// >>> rows 4096 n=4095 : overlapping-writes

// Each row is read again, and one more is written from it.
#define ROW_AGAIN(q) out[(q) * n + i] = t * (q); out[((q) + 300) * n + i] = out[(q) * n + i] + t;
MANY(rows_again, TIMES64(ROW_AGAIN, 0))
// >>> rows_again 4096 n=4096 : proved
// >>> rows_again 4097 n=4096 : overlapping-writes

// Each work-item has places in turn.
#define IN_TURN(q) out[i * 512 + 2 * (q)] = t * (q);
MANY(in_turn, TIMES256(IN_TURN, 0))
// >>> in_turn 4096 n=1 : proved

// One of them is the next work-item's.
MANY(in_turn_too_far, TIMES256(IN_TURN, 0) out[i * 512 + 512] = t;)
// >>> in_turn_too_far 4096 n=1 : overlapping-writes

// The last of many is in a row of another one, one place on.
MANY(one_more, TIMES256(ROW, 0) out[7 * n + i + 1] = t;)
// >>> one_more 4096 n=4096 : overlapping-writes

// There is an end to it.
MANY(too_many, TIMES256(ROW, 0) TIMES256(ROW, 256) out[512 * n + i] = t;)
// >>> too_many 4096 n=4096 : overlapping-writes
