"""What each policy's page says, and the small cases it runs."""
