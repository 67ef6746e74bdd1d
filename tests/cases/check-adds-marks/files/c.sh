cat <<END
http://h.example/a|b
END
