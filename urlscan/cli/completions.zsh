_urlscan() {
    local curcontext=$curcontext context state state_descr line ret=1
    typeset -A opt_args
    local -a commands
    commands=(
@commands@
    )
    _arguments -C @general@ '1: :->command' '*:: :->argument' && ret=0
    case $state in
    command)
        _describe -t commands 'command' commands && ret=0
        ;;
    argument)
        curcontext=${curcontext%:*:*}:urlscan-$line[1]:
        case $line[1] in
@options@
        help)
            _describe -t commands 'command' commands && ret=0
            ;;
        esac
        ;;
    esac
    return ret
}

if [[ $funcstack[1] == _urlscan ]]; then
    _urlscan "$@"
else
    compdef _urlscan @programs@
fi
