"""MapReduce: iterations of maps and reduces, slow start and ramp-up, shuffles, kills and speculation.

May import: the kernel's clock, rows and requests, and what the schedulers count; never what calls it through
the seam.
"""
