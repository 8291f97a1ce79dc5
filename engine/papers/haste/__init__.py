"""HaSTE and HaSTE-A: Yao et al., New scheduling algorithms for improving performance and resource utilization in Hadoop YARN clusters."""
