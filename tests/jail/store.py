"""An object store for presigned requests: GET with `If-Match`, and POST of signed forms up to a size.

It also answers `GetSecretValue`, with which functions read their secrets at start.
"""

import hashlib
import json
import re
import secrets
import urllib.parse
from dataclasses import dataclass

import http_server

ADDRESS = "127.0.0.1"
MAX_REQUEST_BYTES = 512 * 1024 * 1024


@dataclass
class Upload:
    """A signed form and what was uploaded with it."""

    key: str
    policy: str
    max_bytes: int
    content: bytes | None = None
    content_type: str | None = None


class Store:
    """The server with its objects."""

    def __init__(self):
        self.objects: dict[str, bytes] = {}
        self.uploads: dict[str, Upload] = {}
        self.refused: list[str] = []
        self.requests: list[str] = []
        self.server = http_server.Server(ADDRESS, lambda *request: Handler(self, *request))

    @property
    def url(self) -> str:
        return f"http://{self.server.endpoint}"

    def input(self, content: bytes) -> dict:
        """Stores an object and returns it as an input (`invocation::Input`)."""
        key = secrets.token_hex(8)
        self.objects[f"/{key}"] = content
        get = {"url": f"{self.url}/{key}?signature={secrets.token_hex(8)}", "headers": [["if-match", etag(content)]]}
        return {"get": get, "sizeBytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}

    def page(self, content: bytes) -> str:
        """Stores a web page and returns its path."""
        path = f"/{secrets.token_hex(8)}.html"
        self.objects[path] = content
        return path

    def form(self, max_bytes: int) -> tuple[Upload, dict]:
        """Signs a form and returns it (`invocation::UploadForm`) with its future upload."""
        upload = Upload(secrets.token_hex(8), secrets.token_hex(16), max_bytes)
        self.uploads[upload.policy] = upload
        fields = [["key", upload.key], ["policy", upload.policy]]
        return upload, {"url": f"{self.url}/", "fields": fields, "maxBytes": max_bytes}


class Handler(http_server.Handler):
    """One connection of a client."""

    def __init__(self, store: Store, *request: object):
        self.store = store
        super().__init__(*request)

    def do_GET(self):  # noqa: N802
        self.store.requests.append(self.path)
        content = self.store.objects.get(urllib.parse.urlsplit(self.path).path)
        if content is None:
            self.refuse(404, "NoSuchKey")
        elif self.headers.get("If-Match") not in (None, etag(content)):
            self.refuse(412, "PreconditionFailed")
        else:
            kind = "text/html" if self.path.endswith(".html") else "application/octet-stream"
            self.respond(200, content, {"ETag": etag(content), "Content-Type": kind})

    def do_POST(self):  # noqa: N802
        self.store.requests.append(self.path)
        # Like S3, which accepts no forms of unknown length.
        length = self.headers.get("Content-Length")
        if length is None or int(length) > MAX_REQUEST_BYTES:
            self.close_connection = True
            self.refuse(411, "MissingContentLength")
            return
        body = self.read_body()
        if self.headers.get("X-Amz-Target") == "secretsmanager.GetSecretValue":
            secret = json.dumps({"SecretString": "a pepper of at least 32 characters"}).encode()
            self.respond(200, secret, {"Content-Type": "application/x-amz-json-1.1"})
            return
        fields, content = parse_form(self.headers.get("Content-Type", ""), body)
        upload = self.store.uploads.get(fields.get("policy", ""))
        if upload is None or fields.get("key") != upload.key or content is None:
            self.refuse(403, "AccessDenied")
        elif len(content) > upload.max_bytes:
            self.refuse(400, "EntityTooLarge")
        else:
            upload.content, upload.content_type = content, fields.get("content-type")
            self.respond(204, b"", {"ETag": etag(content)})

    def refuse(self, status: int, code: str):
        self.store.refused.append(f"{self.command} {code}")
        self.respond(status, f"<Error><Code>{code}</Code></Error>".encode(), {"Content-Type": "application/xml"})


def etag(content: bytes) -> str:
    return f'"{hashlib.md5(content, usedforsecurity=False).hexdigest()}"'


def parse_form(content_type: str, body: bytes) -> tuple[dict[str, str], bytes | None]:
    """The fields of a `multipart/form-data` body, with names in lower case, and the content of its file."""
    fields: dict[str, str] = {}
    content = None
    boundary = re.search(r'boundary="?([^";]+)', content_type)
    parts = body.split(f"--{boundary[1]}".encode())[1:-1] if boundary else []
    for part in parts:
        head, _, value = part.removeprefix(b"\r\n").partition(b"\r\n\r\n")
        name = re.search(rb'name="([^"]*)"', head)
        value = value.removesuffix(b"\r\n")
        if name and name[1] == b"file":
            content = value
        elif name:
            fields[name[1].decode().lower()] = value.decode()
    return fields, content
