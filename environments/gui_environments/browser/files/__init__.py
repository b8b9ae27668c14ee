"""Files that go up to pages and come down from them."""
