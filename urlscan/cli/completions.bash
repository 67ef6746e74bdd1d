_urlscan() {
    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
    local command=${COMP_WORDS[1]} values="" list="" head="" word
    COMPREPLY=()
    # "=" is a word of its own in `--format=json`.
    if [[ $current == "=" ]]; then
        current=""
    elif [[ $previous == "=" ]]; then
        previous=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    if ((COMP_CWORD == 1)); then
        values=@commands@
    else
        for word in "${COMP_WORDS[@]:2:COMP_CWORD-2}"; do
            [[ $word == "--" ]] && return
        done
        case "$command $previous" in
@values@
        *)
            case "$command" in
@options@
            esac
            ;;
        esac
    fi
    [[ -z $values ]] && return
    if [[ -n $list && $current == *,* ]]; then
        head=${current%,*},
        current=${current##*,}
    fi
    # No names of files where they are not valid; bash 3.2 has no `compopt`.
    [[ $values == -* ]] || compopt +o default +o bashdefault 2>/dev/null
    COMPREPLY=($(compgen -P "$head" -W "$values" -- "$current"))
}
complete -o bashdefault -o default -F _urlscan @programs@
