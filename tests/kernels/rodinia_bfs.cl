/* The shape of Rodinia's bfs: one step of a breadth-first search, expand then commit. */

__kernel void bfs_expand(__global const int *restrict first, __global const int *restrict count,
                         __global const int *restrict edge, __global char *restrict frontier,
                         __global char *restrict next, __global const char *restrict visited,
                         __global int *restrict cost, int nodes)
{
    int i = get_global_id(0);
    if (i < nodes && frontier[i]) {
        frontier[i] = 0;
        for (int e = first[i]; e < first[i] + count[i]; e++) {
            int j = edge[e];
            if (!visited[j]) {
                cost[j] = cost[i] + 1;
                next[j] = 1;
            }
        }
    }
}

__kernel void bfs_commit(__global char *restrict frontier, __global char *restrict next,
                         __global char *restrict visited, __global int *restrict over, int nodes)
{
    int i = get_global_id(0);
    if (i < nodes && next[i]) {
        frontier[i] = 1;
        visited[i] = 1;
        *over = 1;
        next[i] = 0;
    }
}
