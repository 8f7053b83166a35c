"""A small HTTP server in threads of the test, and a base for its handlers."""

import http.server
import socketserver
import sys
import threading
from collections.abc import Callable


class Server(http.server.ThreadingHTTPServer):
    """Serves on a free port until it is closed."""

    daemon_threads = True

    def __init__(self, address: str, handler: Callable[..., socketserver.BaseRequestHandler]):
        super().__init__((address, 0), handler)
        self.endpoint = f"{address}:{self.server_port}"
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def handle_error(self, *request: object):
        """Reports errors, except of clients that were killed."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(*request)

    def close(self):
        self.shutdown()
        self.server_close()


class Handler(http.server.BaseHTTPRequestHandler):
    """One connection."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def log_message(self, *_: object):
        pass

    def read_body(self) -> bytes:
        """Reads a body with a length or in chunks."""
        if "chunked" not in self.headers.get("Transfer-Encoding", ""):
            return self.rfile.read(int(self.headers.get("Content-Length", 0)))
        body = b""
        while size := int(self.rfile.readline().split(b";")[0], 16):
            body += self.rfile.read(size)
            self.rfile.readline()
        while self.rfile.readline().strip():
            pass
        return body

    def respond(self, status: int, body: bytes = b"", headers: dict[str, str] | None = None):
        self.send_response(status)
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        if status != 204:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
