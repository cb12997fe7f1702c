# Completion of pdb-gen, pdb-query and pdb-serve for bash. Options are taken from --help, puzzles and boards from pdb-gen --list.

_pdb_words() { # WORD...: those that go on from what was typed
    local IFS=$'\n'
    COMPREPLY+=($(compgen -W "$*" -- "$cur"))
}

# The value of an option.
_pdb_value() { # OPTION
    case $1 in
    -d | --db-dir | --definitions | --scratch)
        compopt -o filenames 2>/dev/null
        COMPREPLY=($(compgen -d -- "$cur"))
        ;;
    --from)
        compopt -o filenames 2>/dev/null
        COMPREPLY=($(compgen -f -- "$cur"))
        ;;
    --method) _pdb_words auto db search ;;
    --path) _pdb_words all ;;
    --unique) _pdb_words first ;;
    --hint) _pdb_words 1 2 3 ;;
    --paper) _pdb_words a4 letter ;;
    --sheet)
        compopt -o filenames 2>/dev/null
        COMPREPLY=($(compgen -f -- "$cur"))
        ;;
    --color) _pdb_words auto always never ;;
    esac
}

_pdb_puzzles() {
    compopt -o filenames 2>/dev/null
    # of a name with capitals, which stand for a size, its beginning
    _pdb_words $(pdb-gen --list 2>/dev/null | sed -E 's/ .*//; s/[A-Z].*//')
    [[ ${COMPREPLY[*]} != *[-:] ]] || compopt -o nospace 2>/dev/null
    local IFS=$'\n'
    COMPREPLY+=($(compgen -f -X '!*.yaml' -- "$cur") $(compgen -f -X '!*.yml' -- "$cur") $(compgen -f -X '!*.tws' -- "$cur")
        $(compgen -f -X '!*.def' -- "$cur") $(compgen -d -- "$cur"))
}

_pdb() { # PROGRAM, as complete calls it
    local IFS=$' \t\n' cur=${COMP_WORDS[COMP_CWORD]} help valued puzzle= option= i
    COMPREPLY=()
    help=$("$1" --help 2>/dev/null) || return
    # "-d --db-dir -j ...": a value is the next word, if no = is between
    valued=" $(sed -nE 's/^ +(-.)?,? *(--[a-z-]+)=.*/\1 \2/p' <<<"$help" | tr '\n' ' ') "
    for ((i = 1; i < COMP_CWORD; i++)); do
        if [[ ${COMP_WORDS[i]} == = ]]; then
            ((++i < COMP_CWORD)) || option=${COMP_WORDS[i - 2]}
        elif [[ $valued == *" ${COMP_WORDS[i]} "* && ${COMP_WORDS[i + 1]} != = ]]; then
            ((++i < COMP_CWORD)) || option=${COMP_WORDS[i - 1]}
        elif [[ ${COMP_WORDS[i]} != -* && -z $puzzle ]]; then
            puzzle=${COMP_WORDS[i]}
        fi
    done
    if [[ $cur == = ]]; then
        option=${COMP_WORDS[COMP_CWORD - 1]} cur=
    fi
    if [[ -n $option ]]; then
        _pdb_value "$option"
    elif [[ $cur == -* ]]; then
        _pdb_words $(grep -oE '^ +(-., )?--[a-z-]+=?' <<<"$help" | grep -oE -- '--.*')
        [[ ${COMPREPLY[0]} != *= ]] || compopt -o nospace 2>/dev/null
    elif [[ -n $puzzle && ${1##*/} == pdb-query ]]; then
        _pdb_words $(pdb-gen --list "$puzzle" 2>/dev/null | cut -d ' ' -f 1)
    else
        _pdb_puzzles
    fi
}

complete -F _pdb pdb-gen pdb-query pdb-serve
