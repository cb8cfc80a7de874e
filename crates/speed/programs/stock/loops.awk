# Fields, arrays and matches of a text.
{
    for (n = 1; n <= NF; n++) counts[$n]++
    if ($0 ~ /[aeiou][^aeiou ]+ing/) lines++
    length_of += length($0) * 1.5
}
END { for (word in counts) words++; print words, lines, length_of }
