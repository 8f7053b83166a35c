"""Adaptation of template.yaml for the local stack."""

import unittest
from pathlib import Path

import stack
import template as sam

ROOT = Path(__file__).resolve().parents[3]


class TemplateTest(unittest.TestCase):
    """Tests with the real template.yaml."""

    def setUp(self):
        self.template = sam.load(ROOT / "template.yaml")

    def localized(self) -> dict:
        keys = {name: f"{name}.zip" for name in sam.functions(self.template)}
        sam.localize(self.template, "code", keys, stack.parameters() | {"ProcessOfficeConcurrency": "3"})
        return sam.functions(self.template)

    def test_every_function_is_a_crate(self):
        crates = set(sam.crates(self.template).values())
        self.assertEqual(crates, {path.parent.name for path in (ROOT / "functions").glob("*/Cargo.toml")})

    def test_coordinators_share_a_crate(self):
        crates = sam.crates(self.template)
        self.assertEqual((crates["ProcessPdfFunction"], crates["ProcessPipelineFunction"]), ("process", "process"))
        self.assertEqual(crates["EnginePdfFunction"], "engine-pdf")

    def test_every_function_becomes_a_zip(self):
        for name, properties in self.localized().items():
            self.assertEqual(properties["CodeUri"], {"Bucket": "code", "Key": f"{name}.zip"})
            self.assertNotIn("PackageType", properties)
            self.assertNotIn("IgnoreGlobals", self.template["Resources"][name])

    def test_concurrency_is_a_number(self):
        event = self.localized()["ProcessOfficeFunction"]["Events"]["Ticket"]["Properties"]
        self.assertEqual(event["ScalingConfig"]["MaximumConcurrency"], 3)

    def test_the_local_stack_sets_only_existing_parameters(self):
        self.assertLessEqual(set(stack.parameters()), set(self.template["Parameters"]))

    def test_routes(self):
        routes = dict(sam.routes(self.template))
        self.assertEqual(routes["POST /api/v1/jobs"], "JobsFunction")
        self.assertEqual(routes["$default"], "SiteFunction")

    def test_items_expire_in_every_table(self):
        tables = {"AccountsTable", "DocumentsTable", "JobsTable", "SubscriptionsTable"}
        self.assertEqual(set(sam.expiring_tables(self.template)), tables)
