"""One job under every scheduler that is shown."""
