# Shell functions of bin/koog and bin/test: is an environment ready, which Python makes one. Expects $root.

# What an environment was made from: this folder, because an editable install names it, and this pyproject.toml.
stamp() { echo "$root $(cksum <"$root/pyproject.toml")"; }

is_ready() { # folder [--train]
    [ -x "$1/bin/koog" ] && [ -x "$1/bin/python" ] && [ -f "$1/koog-stamp" ] || return 1
    read -r made <"$1/koog-stamp" || return 1
    [ "$made" = "$(stamp) --train" ] || [ "$made" = "$(stamp)${2:+ $2}" ]
}

# Print a Python that works. It is tried, not only looked up: a version manager's shim may lead nowhere.
find_python() {
    need='import sys; assert sys.version_info >= (3, 11)'
    command -v uv >/dev/null || need="$need; import ensurepip, venv" # Debian packs these two separately
    for python in python3.13 python3.12 python3.11 python3 python; do
        if "$python" -c "$need" >/dev/null 2>&1 </dev/null; then
            command -v "$python"
            return
        fi
    done
    return 1
}

# Standard input stays untouched, because it belongs to the command that is to run; stdout is for its line.
set_up() { # python folder [--dev [--train]]
    "$1" "$root/bin/set_up.py" "$2" --stamp "$(stamp)${4:+ $4}" ${3:-} ${4:-} </dev/null >&2
}
