# Reads a file of JSON in pieces with jiter, which is given the whole text so far each time:
# parse.py FILE PIECE SECONDS. Prints {seconds, bytes}, as parse.mjs does.
import json
import sys
import time

import jiter

text = open(sys.argv[1], "rb").read()
size, limit = int(sys.argv[2]), float(sys.argv[3])
began = time.perf_counter()
at = 0
while at < len(text) and time.perf_counter() - began <= limit:
    at += size
    jiter.from_json(text[:at], partial_mode="trailing-strings")
print(json.dumps({"seconds": time.perf_counter() - began, "bytes": min(at, len(text))}))
