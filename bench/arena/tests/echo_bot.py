"""An outside program as short as one can be: it plays the first move that it may make."""

import json
import sys


def main() -> None:
    for line in sys.stdin:
        asked = json.loads(line)
        if asked["t"] == "hello":
            answer = {"t": "ready"}
        else:
            answer = {"id": asked["id"]} | asked["moves"][0]
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
