"""Orders: which waiting request gets this node, a file a policy."""
