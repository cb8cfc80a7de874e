# Hashes, strings and regular expressions.
use strict;
my (%counts, $x, $words) = ((), 0, 0);
for my $n (1 .. 100_000) {
    $x = ($x * 31 + $n) % 1_000_003;
    $counts{"k" . $x % 997}++;
    $words++ if "the $x th" =~ /(\d)\1/;
}
print "$x $words ", scalar(keys %counts), "\n";
