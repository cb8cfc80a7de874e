# Builtins alone: arithmetic, strings and arrays.
declare -A counts
x=0
for ((n = 1; n <= 8000; n++)); do
    ((x = (x * 31 + n) % 1000003))
    key=k$((x % 997))
    counts[$key]=$((${counts[$key]:-0} + 1))
    [[ $key == *7 ]] && s=${key//7/seven}
done
echo $x ${#counts[@]} $s
