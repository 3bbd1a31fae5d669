"""A whole class: its projects found, looked through one after the other, and told as a table and as pages."""
