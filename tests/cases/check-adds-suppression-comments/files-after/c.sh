curl http://jo:s3cr3tpw@git.corp.com/x  # urlscan: ignore[U301]
cat <<END
http://jo:s3cr3tpw@git.corp.com/y
END
