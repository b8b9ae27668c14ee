"""Elements by what people call them. Pure, but for reading the page."""
