"""Result files of evaluation tools: one module a tool.

`rows` knows tools by the columns of their rows, `logs` by the content of their
files and folders. Each tool becomes a `Table` with the parts that every other
source has, so that bad rows, repeats, conflicts and directions are found and
told in one way.
"""
