"""Runs a node until standard input closes: `python -m tests.support.opensearch_node` prints its URL."""

import sys

from tests.support.opensearch_node.build import NoNode
from tests.support.opensearch_node.node import opensearch_node


def main() -> None:
    try:
        with opensearch_node() as url:
            print(url, flush=True)  # noqa: T201
            sys.stdin.read()
    except NoNode as reason:
        sys.exit(str(reason))


main()
