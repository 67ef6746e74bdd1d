cat <<END
http://jo:pa55w0rd@www.mills.zz/
END
see="http://h.example:99999/"
