"""Holds the direction of imports, and the shape of the source roots."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
ENVIRONMENTS = ROOT / "environments" / "gui_environments"
OPERATOR = ROOT / "operator" / "gui_operator"

# What each part of the worker may import of the others. `environments` stands for all of gui_environments.
MAY_IMPORT = {
    "policy": {"environments"},
    "recording": {"environments"},
    "toolsets": {"policy", "recording", "environments"},
    "turn": {"toolsets", "policy", "recording", "environments"},
    "jobs": {"policy", "environments"},
    "report": {"policy", "recording", "environments"},
    "agent": {"jobs", "report", "turn", "toolsets", "policy", "recording", "environments"},
    "cli": {"agent", "jobs", "report", "turn", "toolsets", "policy", "recording", "environments"},
    "__main__": {"cli"},
    "__init__": set[str](),
}


def imported_modules(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} imports relatively; the table cannot be held that way"
            assert node.module is not None
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def part_of(module: str) -> str | None:
    """The part of the worker, or `environments`, that a module belongs to; None for a library."""
    package, *rest = module.split(".")
    if package == "gui_environments":
        return "environments"
    return rest[0] if package == "gui_operator" and rest else None


@pytest.mark.parametrize("path", sorted(OPERATOR.rglob("*.py")), ids=lambda path: str(path.relative_to(OPERATOR)))
def test_the_worker_imports_downwards_only(path: Path) -> None:
    part = path.relative_to(OPERATOR).parts[0].removesuffix(".py")
    assert part in MAY_IMPORT, f"say in MAY_IMPORT what {part} may import"
    for module in imported_modules(path):
        other = part_of(module)
        assert other in (None, part) or other in MAY_IMPORT[part], f"{part} imports {module}"


@pytest.mark.parametrize(
    "path", sorted(ENVIRONMENTS.rglob("*.py")), ids=lambda path: str(path.relative_to(ENVIRONMENTS))
)
def test_the_environments_know_nothing_of_claude_or_the_worker(path: Path) -> None:
    for module in imported_modules(path):
        assert module.split(".")[0] not in ("anthropic", "gui_operator"), f"{path} imports {module}"


@pytest.mark.parametrize("root", [OPERATOR.parent, ENVIRONMENTS.parent])
def test_a_source_root_is_no_package(root: Path) -> None:
    assert root.is_dir()
    assert not (root / "__init__.py").exists(), "a package named operator hides the standard library's module"
