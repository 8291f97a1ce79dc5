"""The event loop, a file a step of it: compiled in a large run, the same source plain in a small one."""
