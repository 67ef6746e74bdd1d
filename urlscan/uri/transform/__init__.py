"""Operations that create URLs from URLs. One file each.

| file | contents |
| --- | --- |
| `resolve.py` | resolve a reference against a base, by each specification, and the inverse |
| `normal.py` | normal forms by level |
| `escapes.py` | escape and unescape components |
| `build.py` | compose a URL from parts |
| `idn.py` | convert internationalized hosts, and IRIs to URIs and back |
| `defang.py` | write a URL so that no program turns it into a link |
"""
