"""The JSON API: one module a resource, each with a router."""
