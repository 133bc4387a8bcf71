"""Strategy articles whose every number is a query: a plan is built to Markdown and HTML pages."""
