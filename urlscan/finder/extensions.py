"""List file extensions, which distinguish the rest of a URL from a word or a host."""

# Extensions of files, in lower case.  Several are top-level domains, too: "ps", "pl", "py", "sh", "zip", "md".
EXTENSIONS = frozenset(
    "7z adoc aiff asc asp aspx avi bat bib bin bmp bz2 c cab cc cfg cfm cgi conf cpp css csv deb diff dll dmg doc docx"
    " dtd dvi el eps epub exe flac gif gz h hpp hs htm html ico img ini ipynb iso jar java jpeg jpg js json jsp jspx"
    " kml lisp log lua lzma m4a md mid midi mjs mkv mov mp3 mp4 mpeg mpg msi odp ods odt ogg patch pdf php php3 php4"
    " phtml pl plist pm png po pot ppt pptx ps psd py ram rar rb rdf rs rss rpm rst rtf scm sgml sh shtml sig so sql"
    " svg swf tar tbz tcl tex tgz tif tiff toml ttf tsv txt txz vue war wasm wav webm webp whl wmv woff woff2 xhtml xls"
    " xlsx xml xpi xsd xsl xslt xz yaml yml z zip zst".split()
)
