// The official TypeScript client: list, call with progress, be refused, ask for what is not there, take a prompt.
import { basename } from "node:path";
import { pathToFileURL } from "node:url";

const sdk = `${process.env.NODE_MODULES}/@modelcontextprotocol/sdk/dist/esm/client`;
const { Client } = await import(pathToFileURL(`${sdk}/index.js`));
const { StdioClientTransport } = await import(pathToFileURL(`${sdk}/stdio.js`));

const client = new Client({ name: "typescript-client", version: "1" });
await client.connect(new StdioClientTransport({ command: process.argv[2], env: process.env }));
const { tools } = await client.listTools();
console.log(tools.length, "tools");
const call = (name, args, options) => client.callTool({ name, arguments: args }, undefined, options);
const found = await call("find_references", { file_path: "lib.rs", line: 1, column: 8 }, { onprogress() {} });
const [place] = JSON.parse(found.content[0].text);
console.log(basename(place.file), place.line, place.column);
const refused = await call("list_symbols", { file_path: "/etc/passwd" });
console.log("refused", refused.isError);
const unknown = await call("no_such_tool", {}).catch((error) => error);
console.log("unknown", unknown.code);
const { prompts } = await client.listPrompts();
const rename = prompts.find(({ name }) => name === "lsp-rename");
console.log(prompts.length, "prompts", ...rename.arguments.map(({ name }) => name));
const got = await client.getPrompt({ name: rename.name, arguments: { "old-name": "greet", "new-name": "hail" } });
console.log(JSON.stringify(got.messages[0].content.text.split("\n").slice(0, 3)));
await client.close();
