"""Questions of one click about a cluster, and their answers one under the other."""
