"""Projective maps of the plane: what transforms and frames do to points. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from gui_environments.browser.values import PagePoint, Quad

Row = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Projection:
    """A projective map of the plane: exact for rotation, skew and perspective alike."""

    rows: tuple[Row, Row, Row]

    def apply(self, point: PagePoint) -> PagePoint:
        x, y, depth = (a * point.x + b * point.y + c for a, b, c in self.rows)
        return PagePoint(x / depth, y / depth)

    def after(self, first: Projection) -> Projection:
        """`first`, then this."""
        columns = tuple(zip(*first.rows, strict=True))
        a, b, c = (
            _row(*(sum(m * n for m, n in zip(row, column, strict=True)) for column in columns)) for row in self.rows
        )
        return Projection((a, b, c))

    def inverse(self) -> Projection:
        """Up to a factor, which a projective map does not have. A flat one maps everything to nowhere."""
        (a, b, c), (d, e, f), (g, h, i) = self.rows
        return Projection(
            (
                (e * i - f * h, c * h - b * i, b * f - c * e),
                (f * g - d * i, a * i - c * g, c * d - a * f),
                (d * h - e * g, b * g - a * h, a * e - b * d),
            )
        )


IDENTITY = Projection(((1, 0, 0), (0, 1, 0), (0, 0, 1)))


def _row(a: float, b: float, c: float) -> Row:
    return a, b, c


def onto(quad: Quad, width: float, height: float) -> Projection:
    """The map of a rectangle of that size, its top left at the origin, onto `quad`."""
    a, b, c, d = quad.corners
    dx1, dx2, dx3 = b.x - c.x, d.x - c.x, a.x - b.x + c.x - d.x
    dy1, dy2, dy3 = b.y - c.y, d.y - c.y, a.y - b.y + c.y - d.y
    divisor = dx1 * dy2 - dx2 * dy1
    g = (dx3 * dy2 - dx2 * dy3) / divisor if divisor else 0.0
    h = (dx1 * dy3 - dx3 * dy1) / divisor if divisor else 0.0
    return Projection(
        (
            ((b.x - a.x + g * b.x) / width, (d.x - a.x + h * d.x) / height, a.x),
            ((b.y - a.y + g * b.y) / width, (d.y - a.y + h * d.y) / height, a.y),
            (g / width, h / height, 1.0),
        )
    )
