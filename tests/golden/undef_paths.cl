// Variables that are given a value on some paths only.  Kernels ok_... use them on no other path; kernels bad_... do.
// FORM: --facts
bool root(float x, float *r)
{
    if (x < 0)
        return false;
    *r = sqrt(x);
    return true;
}
bool forgets(float x, float *r) // says true of what it gave no value
{
    if (x < 0)
        return false;
    if (x < 7)
        *r = sqrt(x);
    return true;
}
int code(float x, float *r)
{
    if (x < 0)
        return 1;
    if (x > 9)
        return 2;
    *r = sqrt(x);
    return 0;
}
int above(global const float *s, int n, float x, float *by)
{
    for (int i = 0; i < n; i++) {
        float t = s[i];
        if (x < t) {
            *by = t - x;
            return i;
        }
    }
    return -1;
}
kernel void ok_out_parameter(global const float *v, global float *out)
{
    int i = get_global_id(0);
    float d;
    out[i] = root(v[i], &d) ? d : 0;
}
kernel void bad_forgets(global const float *v, global float *out)
{
    int i = get_global_id(0);
    float d;
    out[i] = forgets(v[i], &d) ? d : 0;
}
kernel void bad_other_way(global const float *v, global const float *w, global float *out)
{
    int i = get_global_id(0);
    float d;
    if (v[i] < 0)
        d = w[i];
    out[i] = 1;
    if (v[i + 1] > 0)
        out[i] = d;
}
kernel void bad_or(global const float *v, global const int *any, global float *out)
{
    int i = get_global_id(0);
    float d;
    if (root(v[i], &d) || any[i])
        out[i] = d;
}
kernel void bad_behind(global const float *v, global float *out)
{
    int i = get_global_id(0);
    float d;
    if (root(v[i], &d))
        out[2 * i] = d;
    out[2 * i + 1] = d + 1;
}
kernel void bad_other_condition(global const float *v, global const float *w, global float *out)
{
    int i = get_global_id(0);
    float d, e;
    if (root(v[i], &d) && w[i] > 3 && root(w[i], &e))
        out[i] = d;
    if (root(w[i], &e))
        out[i] = d;
}
kernel void ok_code(global const float *v, global float *out)
{
    int i = get_global_id(0);
    float d;
    switch (code(v[i], &d)) {
    case 0: out[i] = d; break;
    case 1: out[i] = -1; break;
    default: out[i] = 0;
    }
}
kernel void bad_code(global const float *v, global float *out)
{
    int i = get_global_id(0);
    float d;
    if (code(v[i], &d) < 2)
        out[i] = d;
}
kernel void ok_index(global const float *v, global const float *s, int n, global float *out)
{
    int i = get_global_id(0);
    float by;
    int k = above(s, n, v[i], &by);
    if (k >= 0)
        out[i] = by * k;
}
kernel void bad_index(global const float *v, global const float *s, int n, global float *out)
{
    int i = get_global_id(0);
    float by;
    int k = above(s, n, v[i], &by);
    if (k >= -1)
        out[i] = by * k;
}
kernel void ok_each_round(global const float *v, int n, global float *out)
{
    int i = get_global_id(0);
    float least = 1;
    for (int k = 0; k < n; k++) {
        float d;
        if (!root(v[i + k], &d))
            continue;
        least = fmin(least, d);
    }
    out[i] = least;
}
kernel void bad_last_round(global const float *v, int n, global float *out) // no round may have given one
{
    int i = get_global_id(0);
    float d;
    for (int k = 0; k < n; k++)
        root(v[i + k], &d);
    out[i] = d;
}
kernel void ok_flag(global const float *v, int n, global float *out)
{
    int i = get_global_id(0), done = 0;
    float r;
    for (int k = 0; k < n && !done; k++)
        if (v[k] > v[i]) {
            r = v[k];
            done = 1;
        }
    out[i] = done ? r : 0;
}
kernel void bad_flag(global const float *v, int n, int done, global float *out) // may be set before
{
    int i = get_global_id(0);
    float r;
    for (int k = 0; k < n && done < 2; k++)
        if (v[k] > v[i]) {
            r = v[k];
            done = 2;
        }
    out[i] = done ? r : 0;
}
kernel void bad_old_flag(global const float *v, global const float *w, int n, global float *out) // of another round
{
    int i = get_global_id(0), done = 0;
    float sum = 0;
    for (int k = 0; k < n; k++) {
        float t;
        if (v[k] > v[i]) {
            t = w[k];
            done = 1;
        }
        if (done)
            sum += t;
    }
    out[i] = sum;
}
kernel void bad_read_twice(global const float *v, global const int *flag, global float *out) // out may be flag
{
    int i = get_global_id(0);
    float r;
    if (flag[i])
        r = v[i];
    out[i] = 1;
    if (flag[i])
        out[i] = r;
}
kernel void ok_two_flags(global const float *v, int n, global float *out)
{
    int i = get_global_id(0);
    float low, high;
    bool a = false, b = false;
    for (int k = 0; k < n; k++) {
        float t = v[i + k];
        if (t < 0 && (!a || t < low)) {
            low = t;
            a = true;
        } else if (t > 0 && (!b || t > high)) {
            high = t;
            b = true;
        }
    }
    if (a && b)
        out[i] = high - low;
    else if (a)
        out[i] = low;
}
kernel void bad_two_flags(global const float *v, int n, global float *out)
{
    int i = get_global_id(0);
    float low, high;
    bool a = false, b = false;
    for (int k = 0; k < n; k++) {
        float t = v[i + k];
        if (t < 0 && (!a || t < low)) {
            low = t;
            a = true;
        } else if (t > 0 && (!b || t > high)) {
            high = t;
            b = true;
        }
    }
    if (a && b)
        out[i] = high - low;
    else if (a || b)
        out[i] = low;
}
kernel void ok_nested_returns(global const float *v, int n, int m, global float *out)
{
    int i = get_global_id(0);
    float best = 0;
    for (int a = 0; a < m; a++) {
        float by, d;
        int k = above(v + a, n, v[i], &by);
        if (k < 0 || code(by, &d))
            return;
        best = fmax(best, d);
    }
    out[i] = best;
}
kernel void ok_vector(global const float4 *v, global float4 *out)
{
    int i = get_global_id(0);
    float4 d;
    bool has = v[i].x > 0;
    if (has)
        d = v[i] / v[i].x;
    out[i] = 0;
    if (has)
        out[i] = d;
}
kernel void bad_cases(global const int *op, global const float *v, global float *out)
{
    int i = get_global_id(0), o = op[i];
    float r;
    switch (o) {
    case 1: r = 1; break;
    case 2: r = v[i]; break;
    case 5: r = v[2 * i]; break;
    default: out[i] = 0;
    }
    if (o == 2 || o == 4)
        out[i] = r;
}
kernel void bad_address(global const float *v, global const int *at, global const float *table, global float *out)
{
    int i = get_global_id(0), k;
    if (v[i] > 0)
        k = at[i];
    if (v[i] > -1)
        out[i] = table[k];
}
// LLVM keeps nothing of what no path gives a value: a sum of it and another is a NaN.  Drivers take what was there.
kernel void bad_never_set(global const float *v, global float *out, int n)
{
    int i = get_global_id(0);
    for (int j = 0; j < n; j++) {
        float t;
        if (v[j] > 1) {
            t = v[i + j];
            continue;
        }
        out[i] += t;
    }
}
kernel void bad_of_the_round_before(global const float *v, global float *out, int n)
{
    int i = get_global_id(0), last = -1;
    float sum = v[i];
    for (int j = 0; j < 3; j++) {
        float t;
        if (v[i] > j) {
            t = v[i + j];
            last = j;
            continue;
        }
        if (last > -1 || i < n)
            sum += t;
    }
    out[i] = sum;
}
float never(float x)
{
    float y;
    return y * x;
}
kernel void bad_in_a_function(global const float *v, global float *out)
{
    out[get_global_id(0)] = never(v[get_global_id(0)]);
}
kernel void ok_never_used(global const float *v, global float *out, int n)
{
    int i = get_global_id(0);
    float t, sum = never(v[i]);
    sum = v[i];
    for (int j = 0; j < n; j++) {
        if (v[j] > 1)
            t = v[i + j];
        else
            t = 0;
        sum += t;
    }
    out[i] = sum;
}
// >>> ok_out_parameter	S012IA-	tunable	0	-
// >>> bad_forgets	-012IA-	undefined-value	48	a variable that has no value yet reaches a stored value
// >>> bad_other_way	-012IA-	undefined-value	58	a variable that has no value yet reaches a stored value
// >>> bad_or	-012IA-	undefined-value	65	a variable that has no value yet reaches a stored value
// >>> bad_behind	-012IA-	undefined-value	73	a variable that has no value yet reaches a stored value
// >>> bad_other_condition	-012IA-	undefined-value	82	a variable that has no value yet reaches a stored value
// >>> ok_code	S012IA-	tunable	0	-
// >>> bad_code	-012IA-	undefined-value	99	a variable that has no value yet reaches a stored value
// >>> ok_index	S012IA-	tunable	0	-
// >>> bad_index	-012IA-	undefined-value	115	a variable that has no value yet reaches a stored value
// >>> ok_each_round	S012IA-	tunable	0	-
// >>> bad_last_round	-012IA-	undefined-value	135	a variable that has no value yet reaches a stored value
// >>> ok_flag	S012IA-	tunable	0	-
// >>> bad_flag	-012IA-	undefined-value	157	a variable that has no value yet reaches a stored value
// >>> bad_old_flag	-012IA-	undefined-value	172	a variable that has no value yet reaches a stored value
// >>> bad_read_twice	-012IA-	undefined-value	182	a variable that has no value yet reaches a stored value
// >>> ok_two_flags	S012IA-	tunable	0	-
// >>> bad_two_flags	-012IA-	undefined-value	222	a variable that has no value yet reaches a stored value
// >>> ok_nested_returns	S012IA-	tunable	0	-
// >>> ok_vector	S012IA-	tunable	0	-
// >>> bad_cases	-012IA-	undefined-value	259	a variable that has no value yet reaches a stored value
// >>> bad_address	-012IA-	undefined-value	267	a variable that has no value yet reaches an address
// >>> bad_never_set	-012-A-	undefined-value	279	a variable that has no value yet reaches a stored value
// >>> bad_of_the_round_before	-012IA-	undefined-value	296	a variable that has no value yet reaches a stored value
// >>> bad_in_a_function	-012IAU	undefined-value	305	a variable that has no value yet reaches a stored value
// >>> ok_never_used	S012IA-	tunable	0	-
