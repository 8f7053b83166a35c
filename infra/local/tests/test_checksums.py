import unittest
from hashlib import shake_256

from ministack.services.s3 import _crc64nvme

from checksums import crc64nvme


class Crc64Nvme(unittest.TestCase):
    def test_equals_the_calculation_byte_by_byte(self):
        for size in (0, 1, 7, 8, 9, 247, 248, 249, 255, 256, 1_000, 4_096, 65_535, 65_536, 200_001):
            data = shake_256(b"message").digest(size)
            self.assertEqual(crc64nvme(data), _crc64nvme(data), f"{size} bytes")

    def test_has_the_value_of_the_catalog(self):
        self.assertEqual(crc64nvme(b"123456789"), 0xAE8B14860A799888)


if __name__ == "__main__":
    unittest.main()
