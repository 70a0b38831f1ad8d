# Says what is documented about a name, as one line of JSON. Arguments: directories to look in, the names to try in
# order, each list ended by an empty argument.
#
# Nothing of the project is imported: what stands in these directories is read, not run. Only modules of the standard
# library are imported, for pydoc to describe.
import ast
import inspect
import json
import os
import pydoc
import sys

arguments = sys.argv[1:]
between = arguments.index("")
directories = arguments[:between]
names = arguments[between + 1 :]


def file_of(parts):
    for directory in directories:
        path = os.path.join(directory, *parts)
        for candidate in (path + ".py", path + ".pyi", os.path.join(path, "__init__.py"), os.path.join(path, "__init__.pyi")):
            if os.path.isfile(candidate) and os.path.getsize(candidate) < 5_000_000:
                return candidate
    return None


def parsed(path):
    with open(path, "rb") as file:
        return ast.parse(file.read(), path)


def statements(body):
    # What stands under a condition is defined all the same.
    for node in body:
        yield node
        if isinstance(node, (ast.If, ast.Try, ast.With)):
            for inner in ("body", "orelse", "finalbody"):
                yield from statements(getattr(node, inner, []))


def defined(body, name):
    found = None
    for node in statements(body):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            if node.name == name:
                found = node
        elif isinstance(node, ast.Assign):
            if any(isinstance(target, ast.Name) and target.id == name for target in node.targets):
                found = node
        elif isinstance(node, ast.AnnAssign):
            if isinstance(node.target, ast.Name) and node.target.id == name:
                found = node
        elif isinstance(node, ast.ImportFrom):
            if any((alias.asname or alias.name) == name for alias in node.names):
                found = node
    return found


def signature(node):
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        word = "async def" if isinstance(node, ast.AsyncFunctionDef) else "def"
        returns = " -> " + ast.unparse(node.returns) if node.returns else ""
        return "%s %s(%s)%s" % (word, node.name, ast.unparse(node.args), returns)
    if isinstance(node, ast.ClassDef):
        bases = ", ".join(ast.unparse(base) for base in node.bases)
        return "class %s(%s)" % (node.name, bases) if bases else "class " + node.name
    return ast.unparse(node)[:500]


def members(node):
    lines = []
    for inner in statements(node.body):
        if isinstance(inner, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            lines.append("    " + signature(inner))
            first = (ast.get_docstring(inner) or "").strip().split("\n")[0]
            if first:
                lines.append("        " + first)
    return "\n".join(lines)


def documented(node):
    parts = [ast.get_docstring(node) or ""] if not isinstance(node, (ast.Assign, ast.AnnAssign)) else []
    if isinstance(node, (ast.ClassDef, ast.Module)):
        parts.append(members(node))
    return "\n\n".join(part for part in parts if part)


def read(name, depth=0):
    parts = name.split(".")
    for length in range(len(parts), 0, -1):
        path = file_of(parts[:length])
        if path is None:
            continue
        node = parsed(path)
        for index, part in enumerate(parts[length:]):
            found = defined(node.body, part) if hasattr(node, "body") else None
            if isinstance(found, ast.ImportFrom):
                if depth > 5:
                    return None
                package = parts[:length] if path.endswith(("__init__.py", "__init__.pyi")) else parts[: length - 1]
                if found.level:
                    package = package[: len(package) - (found.level - 1)]
                else:
                    package = []
                written = next(alias.name for alias in found.names if (alias.asname or alias.name) == part)
                origin = package + (found.module.split(".") if found.module else []) + [written]
                return read(".".join(origin + parts[length + index + 1 :]), depth + 1)
            if found is None:
                node = None
                break
            node = found
        if node is None:
            continue
        head = "module " + name if isinstance(node, ast.Module) else signature(node)
        return {"signature": head, "text": documented(node)}
    return None


def described(name):
    if name.split(".")[0] not in sys.stdlib_module_names | {"builtins"} and not hasattr(__import__("builtins"), name.split(".")[0]):
        return None
    thing = pydoc.locate(name)
    if thing is None:
        return None
    last = name.rpartition(".")[2]
    is_known = (
        inspect.ismodule(thing) or inspect.isclass(thing) or inspect.isroutine(thing) or inspect.isdatadescriptor(thing)
    )
    if not is_known:
        # Of a value pydoc would describe the type, at length.
        return {"signature": "%s = %s" % (last, repr(thing)[:500]), "text": "a value of type " + type(thing).__name__}
    if inspect.ismodule(thing):
        head = "module " + name
    else:
        head = "class " if inspect.isclass(thing) else "def "
        try:
            head += last + str(inspect.signature(thing))
        except (TypeError, ValueError):
            head = head + last if callable(thing) else last
    return {"signature": head, "text": pydoc.render_doc(thing, title="%s", renderer=pydoc.plaintext)}


def answer():
    complaint = None
    for name in names:
        for look in (read, described):
            try:
                found = look(name)
            except Exception as error:
                complaint = complaint or "%s: %s" % (type(error).__name__, error)
                continue
            if found:
                return found
    return {"error": complaint or "python knows no such name"}


sys.stdout.write(json.dumps(answer()))
