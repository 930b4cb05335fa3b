/* Breadth-first search, level by level. */
struct node {
    int first, edges;
};

__kernel void bfs1(__global const struct node *nodes, __global const int *edges, __global char *frontier,
                   __global char *next, __global const char *visited, __global int *cost, int n)
{
    int i = get_global_id(0);
    if (i < n && frontier[i]) {
        frontier[i] = 0;
        for (int e = nodes[i].first; e < nodes[i].first + nodes[i].edges; e++) {
            int to = edges[e];
            if (!visited[to]) {
                cost[to] = cost[i] + 1;
                next[to] = 1;
            }
        }
    }
}

__kernel void bfs2(__global char *frontier, __global char *next, __global char *visited, __global char *more, int n)
{
    int i = get_global_id(0);
    if (i < n && next[i]) {
        frontier[i] = 1;
        visited[i] = 1;
        *more = 1;
        next[i] = 0;
    }
}
