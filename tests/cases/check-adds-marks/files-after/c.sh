# urlscan: disable[U101]
cat <<END
http://h.example/a|b
END
# urlscan: enable[U101]
