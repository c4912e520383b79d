"""Reports: what some data or a study say, as one page of HTML, as Markdown or as LaTeX."""
