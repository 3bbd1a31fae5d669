"""The laboratory in the browser: a server of the page and of the JSON API that the page speaks."""
