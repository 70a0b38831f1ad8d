"""The official Python client: connect in the era asked for, list, call, be refused, take a prompt."""

import asyncio
import json
import sys
from pathlib import Path

from mcp import Client, StdioServerParameters


async def main(binary: str, mode: str) -> None:
    async with Client(StdioServerParameters(command=binary), mode=mode) as client:
        print(client.protocol_version)
        tools = (await client.list_tools()).tools
        print(len(tools), "tools")
        found = await client.call_tool("find_references", {"file_path": "lib.rs", "line": 1, "column": 8})
        place = json.loads(found.content[0].text)[0]
        print(Path(place["file"]).name, place["line"], place["column"])
        print(found.content[-1].text)
        refused = await client.call_tool("list_symbols", {"file_path": "/etc/passwd"})
        print("refused", refused.is_error)
        prompts = (await client.list_prompts()).prompts
        rename = next(prompt for prompt in prompts if prompt.name == "lsp-rename")
        print(len(prompts), "prompts", *(argument.name for argument in rename.arguments))
        got = await client.get_prompt("lsp-rename", {"old-name": "greet", "new-name": "hail"})
        print(got.messages[0].content.text.splitlines()[:3])


asyncio.run(main(*sys.argv[1:]))
