"""The trial's requests as JSON, with what each finds: `content` of a page, `files` of a project (base64)."""

import base64
import hashlib
import json
import pathlib
import sys
import tomllib

import generated

HERE = pathlib.Path(__file__).parent


def found(request):
    """What is there, by path."""
    if "generated" in request:
        name, seed, checksum = request["generated"]
        made = generated.make(name, seed)
        if not hashlib.sha256("".join(made.values()).encode()).hexdigest().startswith(checksum):
            sys.exit(f"{name}({seed}) makes something else than when the requests were frozen")
        return {path: text.encode() for path, text in made.items()}
    path = HERE / "fixtures" / request["fixture"]
    if path.is_file():
        return {path.name: path.read_bytes()}
    return {str(file.relative_to(path)): file.read_bytes() for file in sorted(path.rglob("*")) if file.is_file()}


def whole(request):
    files = found(request)
    if request["surface"] != "code":
        (content,) = files.values()
        return {**request, "content": content.decode()}
    files |= {path: text.encode() for path, text in request.get("ignored", {}).items()}
    return {**request, "files": {path: base64.b64encode(text).decode() for path, text in files.items()}}


print(json.dumps([whole(request) for request in tomllib.loads((HERE / "requests.toml").read_text())["request"]]))
