"""A server on the official Python SDK's FastMCP, as people write them: it also prints to stdout.

    python fastmcp_server.py                    on stdin and stdout
    python fastmcp_server.py --port 8000        Streamable HTTP, answers as event streams
    python fastmcp_server.py --port 8000 --json without sessions, answers in JSON
"""

import argparse
import base64

from mcp.server.fastmcp import Context, FastMCP
from mcp.types import ImageContent, TextContent, ToolAnnotations

options = argparse.ArgumentParser()
options.add_argument("--port", type=int, default=0)
options.add_argument("--json", action="store_true")
options = options.parse_args()

server = FastMCP(
    "fastmcp-example",
    instructions="Greets and adds.",
    host="127.0.0.1",
    port=options.port,
    json_response=options.json,
    stateless_http=options.json,
    log_level="WARNING",
)


@server.tool(annotations=ToolAnnotations(readOnlyHint=True))
def greet(name: str, excited: bool = False) -> str:
    """Greets somebody."""
    return f"Hello, {name}{'!' if excited else '.'}"


@server.tool()
def add(a: int, b: int) -> int:
    """Adds two integers, however long."""
    return a + b


@server.tool()
def fail(reason: str) -> str:
    """Always fails."""
    raise ValueError(reason)


@server.tool()
async def count(to: int, context: Context) -> str:
    """Counts, and tells its progress and a log line for each step."""
    for n in range(1, to + 1):
        await context.report_progress(n, to, f"{n} of {to}")
        await context.info(f"counted {n}")
    return f"counted to {to}"


@server.tool(structured_output=False)
def picture() -> list[TextContent | ImageContent]:
    """Gives a text and an image."""
    dot = base64.b64encode(b"GIF89a\x01\x00\x01\x00\x00\x00\x00;").decode()
    return [
        TextContent(type="text", text="One dot:"),
        ImageContent(type="image", data=dot, mimeType="image/gif"),
    ]


if __name__ == "__main__":
    print("fastmcp-example is ready", flush=True)
    server.run("streamable-http" if options.port else "stdio")
