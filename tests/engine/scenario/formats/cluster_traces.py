"""Rows of Google's and Alibaba's cluster traces, made by hand in their published schemas."""

from __future__ import annotations

GOOGLE = """\
0,,7,0,3,0,u+longer-than-twelve,2,9,0.5,0.25,0.001,0
1000000,,7,0,3,1,u+longer-than-twelve,2,9,0.5,0.25,0.001,0
3000000,,7,0,3,2,u+longer-than-twelve,2,9,0.5,0.25,0.001,0
4000000,,7,0,4,1,u+longer-than-twelve,2,9,0.5,0.25,0.001,0
9000000,,7,0,4,4,u+longer-than-twelve,2,9,0.5,0.25,0.001,0
9000000,,7,1,4,1,u+longer-than-twelve,2,9,,,,
20000000,,8,0,,0,v,0,0,0.01,0.01,0,0
21000000,,8,0,3,1,v,0,0,0.01,0.01,0,0
22500000,1,8,0,3,5,,,0,0.01,9.5e-05,0,0
30000000,,9,0,,0,v,0,0,0.01,0.01,0,0
"""
ALIBABA = """\
M1,2,j_1,1,Terminated,100,110,50,0.5
R2_1,1,j_1,1,Terminated,110,140,200,1
R3_2,1,j_1,1,Terminated,140,145,100,1
task_x,3,j_2,12,Terminated,130,131,100,0.4
M1,1,j_3,1,Failed,130,131,100,0.4
"""
ALIBABA_2017 = """\
100,110,1,1,2,Terminated,50,0.005
120,150,1,2,1,Terminated,200,0.01
130,131,2,1,3,Terminated,100,0.004
130,0,3,1,1,Waiting,100,0.004
"""

GOOGLE_2019 = """\
{"time":"21000000","type":"6","collection_id":"8","machine_id":"3"}
{"time":"5000000","type":"0","collection_id":"7","scheduling_class":"2","priority":"103","instance_index":"1"}
{"time":"6000000","type":"3","collection_id":"7","instance_index":"1","machine_id":"4",\
"resource_request":{"cpus":0.5,"memory":0.25}}
{"time":"7000000","type":"4","collection_id":"7","instance_index":"1","machine_id":"4"}
{"time":"8000000","type":"3","collection_id":"7","instance_index":"1","machine_id":"4"}
{"time":"13000000","type":"6","collection_id":"7","instance_index":"1","machine_id":"4"}
{"time":"8000000","type":"3","collection_id":"7","instance_index":"2","machine_id":"-1"}
{"time":"9000000","type":"3","collection_id":"9","collection_type":"1","machine_id":"5"}
{"time":19500000,"type":3,"collection_id":8,"machine_id":3,"resource_request":{"cpus":0.001,"memory":0.01}}
"""

MACHINES = """\
0,3,0,p,0.25,0.25
0,4,0,p,0.5,0.25
9,4,2,p,0.5,0.5
9,4,1,p,,
9,5,1,p,1,1
"""

MACHINES_2019 = """\
{"time":"9","machine_id":"4","type":"3","switch_id":"s","capacity":{"cpus":0.5,"memory":0.5}}
{"machine_id":"4","type":"1","switch_id":"s","capacity":{"cpus":0.5,"memory":0.25},"platform_id":"p"}
{"machine_id":"3","type":"1","switch_id":"s","capacity":{"cpus":0.25,"memory":0.25}}
{"time":"9","machine_id":"5","type":"2","switch_id":"s"}
"""
