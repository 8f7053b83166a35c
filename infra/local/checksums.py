"""CRC-64/NVME by folding the message, a polynomial over GF(2) in one integer: ten times faster than byte by byte."""

from functools import cache

# 0xAD93D23594C93659, reflected: in all integers, the lowest bit is the coefficient of the highest power.
POLYNOMIAL = 0x9A6C9329AC4BC9B5
ONES = (1 << 64) - 1
# Below this length in bits, bytes are faster.
SHORT = 2_048


def crc64nvme(data: bytes) -> int:
    message, length = int.from_bytes(data, "little") ^ ONES, len(data) * 8 + 64
    while length > SHORT:
        exponent = (length - 1).bit_length() - 1
        low = 1 << exponent
        high = length - low
        product = multiply(message & ((1 << high) - 1), power(exponent))
        length = max(low, (high + 63 + 7) // 8 * 8)
        message = (message >> high << (length - low)) ^ (product << (length - high - 63))
    return remainder(message, length) ^ ONES


def multiply(message: int, factor: int) -> int:
    shifts = (shift for shift in range(64) if factor >> shift & 1)
    product = 0
    for shift in shifts:
        product ^= message << shift
    return product


@cache
def power(exponent: int) -> int:
    """The remainder of x^(2^exponent), for exponents from 6."""
    if exponent == 6:
        return POLYNOMIAL
    root = power(exponent - 1)
    return remainder(multiply(root, root) << 1, 128)


def remainder(message: int, length: int) -> int:
    register, table = 0, byte_remainders()
    bits = length - 64
    for byte in (message & ((1 << bits) - 1)).to_bytes(bits // 8, "little"):
        register = table[(register ^ byte) & 0xFF] ^ (register >> 8)
    return register ^ (message >> bits)


@cache
def byte_remainders() -> list[int]:
    return [shifted(byte) for byte in range(256)]


def shifted(register: int) -> int:
    for _ in range(8):
        register = (register >> 1) ^ (POLYNOMIAL if register & 1 else 0)
    return register
