"""Rules for Octavo's template beyond those of CloudFormation, each a function of the resources."""
