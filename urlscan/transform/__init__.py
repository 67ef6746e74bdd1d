"""URLs made of URLs: resolution, normal forms, escapes, building, folding.  One file each.

| file | what it does |
| --- | --- |
| `resolve.py` | reference and base to target, by each specification |
| `relative.py` | its inverse |
| `normal.py` | normal forms by levels |
| `escapes.py` | escaping and unescaping by component |
| `build.py` | parts to a URL |
| `idn.py` | internationalized hosts, IRIs to URIs and back |
| `fold.py` | the form of the appendixes, over several lines |
"""
