# Prints the most frequent words of a text with their digests, and a digest of the text.
use strict;
use warnings;
use Digest::SHA qw(sha1_hex sha384_hex);

local $/;
my $text = <STDIN>;
my %count;
$count{lc $1}++ while $text =~ /\b([a-z]+)\b/gi;
my @most = (sort { $count{$b} <=> $count{$a} || $a cmp $b } keys %count)[0 .. 4];
printf "%s %d %s\n", $_, $count{$_}, sha1_hex($_) for @most;
print sha384_hex($text), "\n";
