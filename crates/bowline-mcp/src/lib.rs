//! A surface: the MCP server over any byte stream.
