curl http://jo:s3cr3tpw@git.corp.com/x
cat <<END
http://jo:s3cr3tpw@git.corp.com/y
END
