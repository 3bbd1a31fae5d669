"""Does what the examples of docs/lookup/api.md ask of curl, where there is none."""

import sys
import urllib.error
import urllib.request

VALUED = {"-H": "header", "-d": "data", "-X": "method", "-w": "end"}


def main() -> int:
    """Send the request of the command line, print the answer; 22 where it is refused, as curl does."""
    given: dict[str, list[str]] = {name: [] for name in (*VALUED.values(), "address")}
    words = iter(sys.argv[1:])
    for word in words:
        if word in VALUED:
            given[VALUED[word]].append(next(words))
        elif not word.startswith("-"):
            given["address"].append(word)
    headers = dict(header.split(": ", 1) for header in given["header"])
    data = given["data"][0].encode() if given["data"] else None
    method = (given["method"] or ["POST" if data is not None else "GET"])[0]
    request = urllib.request.Request(given["address"][0], data, headers, method=method)  # noqa: S310 (our own server)
    try:
        with urllib.request.urlopen(request) as answer:  # noqa: S310 (our own server)
            text, code = answer.read().decode(), 0
    except urllib.error.HTTPError as refused:
        text, code = refused.read().decode(), 22
    sys.stdout.write(text + "".join(given["end"]).replace("\\n", "\n"))
    return code


if __name__ == "__main__":
    sys.exit(main())
