"""Operations that create URLs from URLs: resolution, normalization, escaping, building and folding.  One file each.

| file | contents |
| --- | --- |
| `resolve.py` | resolve a reference against a base, by each specification |
| `relative.py` | the inverse of resolution |
| `normal.py` | normal forms by level |
| `escapes.py` | escape and unescape components |
| `build.py` | compose a URL from parts |
| `idn.py` | convert internationalized hosts, and IRIs to URIs and back |
| `fold.py` | write a URL over several lines, as in the appendixes of the RFCs |
"""
