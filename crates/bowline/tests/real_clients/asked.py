"""The official Python client, whose person is asked: once with a no, once with a yes."""

import asyncio
import sys

from mcp import Client, StdioServerParameters
from mcp.types import ElicitResult


async def main(binary: str, mode: str) -> None:
    answers = ["no", "once"]

    async def person(_context, params) -> ElicitResult:
        print(params.message.splitlines()[0])
        print(params.requested_schema["properties"]["answer"]["enum"])
        return ElicitResult(action="accept", content={"answer": answers.pop(0)})

    server = StdioServerParameters(command=binary)
    async with Client(server, mode=mode, elicitation_callback=person) as client:
        edit = {"file_path": "lib.rs", "old_text": "greet", "new_text": "hail"}
        for _ in range(2):
            result = await client.call_tool("apply_edit", edit)
            with open("lib.rs") as file:
                print(bool(result.is_error), file.read().strip())


asyncio.run(main(*sys.argv[1:]))
