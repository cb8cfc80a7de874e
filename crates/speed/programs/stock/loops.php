<?php
// Arrays, strings and sorting.
$counts = [];
$x = 0;
for ($n = 1; $n <= 350000; $n++) {
    $x = ($x * 31 + $n) % 1000003;
    $key = "k" . $x % 997;
    $counts[$key] = ($counts[$key] ?? 0) + 1;
}
arsort($counts);
echo $x, " ", count($counts), " ", md5(implode(",", $counts)), "\n";
