# urlscan: disable[U301]
cat <<END
http://jo:pa55w0rd@www.mills.zz/
END
# urlscan: enable[U301]
see="http://h.example:99999/"  # urlscan: ignore[U403]
