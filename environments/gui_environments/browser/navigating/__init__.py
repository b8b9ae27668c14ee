"""Going to addresses, and where pages may lead."""
