"""The trusted host of a local stack: a loopback host that the SSRF guard allows, with its certificate and authority."""

import datetime
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

NAME = "fixtures.octavo.test"
PORT = 9443
# One for each test that runs at the same time. The parameter's value may have 4,096 bytes.
PORTS = range(PORT, PORT + 64)
ADDRESS = "127.0.0.1"
VALID_FOR = datetime.timedelta(days=30)


class TrustedHost:
    """The host with its files in `directory`, generated for each stack."""

    def __init__(self, directory: Path):
        authority_key, host_key = new_key(), new_key()
        authority = sign("Octavo local stack", authority_key, None, authority_key, authority=True)
        host = sign(NAME, host_key, authority, authority_key, authority=False)
        self.authority = pem(authority)
        self.files = {
            "ca": store(directory / "trusted-host-ca.pem", self.authority),
            "certificate": store(directory / "trusted-host.pem", pem(host)),
            "key": store(directory / "trusted-host-key.pem", private_pem(host_key)),
        }

    def parameters(self) -> dict[str, str]:
        """The template parameters for the host."""
        hosts = ",".join(f"{NAME}:{port}={ADDRESS}" for port in PORTS)
        return {"TrustedHosts": hosts, "TrustedHostsAuthority": self.authority}

    def describe(self) -> dict:
        """The host's entry in the stack file."""
        return {"name": NAME, "port": PORT, "ports": len(PORTS), "address": ADDRESS, **self.files}


def new_key() -> ec.EllipticCurvePrivateKey:
    return ec.generate_private_key(ec.SECP256R1())


def sign(
    name: str,
    key: ec.EllipticCurvePrivateKey,
    issuer: x509.Certificate | None,
    issuer_key: ec.EllipticCurvePrivateKey,
    authority: bool,
) -> x509.Certificate:
    """A certificate for `key`; self-signed without an issuer."""
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = datetime.datetime.now(datetime.UTC)
    builder = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer.subject if issuer else subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(hours=1))
        .not_valid_after(now + VALID_FOR)
        .add_extension(x509.BasicConstraints(ca=authority, path_length=None), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(issuer_key.public_key()), critical=False)
    )
    if not authority:
        names = x509.SubjectAlternativeName([x509.DNSName(name)])
        usage = x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH])
        builder = builder.add_extension(names, critical=False).add_extension(usage, critical=False)
    return builder.sign(issuer_key, hashes.SHA256())


def pem(certificate: x509.Certificate) -> str:
    return certificate.public_bytes(serialization.Encoding.PEM).decode()


def private_pem(key: ec.EllipticCurvePrivateKey) -> str:
    form = (serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    return key.private_bytes(*form).decode()


def store(path: Path, text: str) -> str:
    """Writes a file with mode 0600 and returns its absolute path."""
    path.touch(mode=0o600)
    path.write_text(text, encoding="ascii")
    return str(path.resolve())
