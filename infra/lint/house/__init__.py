"""The rules that Octavo's template keeps beyond those of CloudFormation, each a function over its resources."""
