# Says what pydoc knows about a name, as one line of JSON. Arguments: directories to import from, the names to try in
# order, each list ended by an empty argument.
import sys

# The first entry is the directory we stand in, from which nothing of ours may be imported.
if sys.path and sys.path[0] == "":
    del sys.path[0]

import inspect
import json
import os
import pydoc

# What a module writes while it is imported must not get between.
out = os.dup(1)
os.dup2(2, 1)

arguments = sys.argv[1:]
between = arguments.index("")
sys.path[:0] = arguments[:between]
names = arguments[between + 1 :]


def signature(thing, name):
    last = name.rpartition(".")[2]
    if inspect.ismodule(thing):
        return "module " + name
    word = "class " if inspect.isclass(thing) else "def "
    if inspect.iscoroutinefunction(thing):
        word = "async def "
    try:
        return word + last + str(inspect.signature(thing))
    except (TypeError, ValueError):
        return word + last if callable(thing) else last


def answer():
    complaint = None
    for name in names:
        try:
            thing = pydoc.locate(name)
        except pydoc.ErrorDuringImport as error:
            complaint = complaint or str(error)
            continue
        except BaseException as error:
            complaint = complaint or "importing `%s` ended with %s: %s" % (name, type(error).__name__, error)
            continue
        # `None` is also what is said of a name that is not there.
        if thing is None:
            continue
        described = (
            inspect.ismodule(thing)
            or inspect.isclass(thing)
            or inspect.isroutine(thing)
            or inspect.isdatadescriptor(thing)
        )
        if described:
            text = pydoc.render_doc(thing, title="%s", renderer=pydoc.plaintext)
            return {"signature": signature(thing, name), "text": text}
        # Of a value pydoc would describe the type, at length.
        shown = repr(thing)
        last = name.rpartition(".")[2]
        return {"signature": "%s = %s" % (last, shown[:500]), "text": "a value of type " + type(thing).__name__}
    return {"error": complaint or "python knows no such name"}


try:
    said = answer()
except BaseException as error:
    said = {"error": "%s: %s" % (type(error).__name__, error)}
data = json.dumps(said).encode("ascii")
while data:
    data = data[os.write(out, data) :]
# A module may have started threads that never end.
os._exit(0)
