# What a fast import costs the user: import time against total hitch time, one labelled mark a topology.
#
#   gnuplot -c plots/import-vs-hitch.gp RESULTS OUT [svg|png]     writes OUT/import-vs-hitch.svg
#
# reads: summary.csv trials.csv
#
# Names stand in a column at the right, in the order of the marks and never closer than a line, with a thin line to the
# mark: however close the marks lie, no name covers another. Faint dots are the single trials.

if (ARGC < 2 || ARGC > 3) { printerr "usage: gnuplot -c plots/import-vs-hitch.gp RESULTS OUT [svg|png]"; exit status 64 }
format_name = ARGC > 2 ? ARG3 : "svg"
summary = ARG1 . "/summary.csv"
trials = ARG1 . "/trials.csv"

set datafile separator comma
set datafile columnheaders

# The names and their two figures, in the order of the summary. A CSV's text can be had by plotting it into a table only.
name(_) = strcol("topology") . (strlen(strcol("variant")) ? "/" . strcol("variant") : "")
import_s(_) = column("import_ns") / 1e9
hitch_ms(_) = column("hitch_total_ns") / 1e6
smaller(a, b) = a < b ? a : b
larger(a, b) = a > b ? a : b
names = ""; longest_name = 0; imports = ""; hitches = ""
first_x = 1e99; last_x = 0
lowest_y = 1e99; highest_y = 0; zero_count = 0
ranged(x, y) = (first_x = smaller(first_x, x), last_x = larger(last_x, x), \
  y > 0 ? (lowest_y = smaller(lowest_y, y), highest_y = larger(highest_y, y)) : (zero_count = zero_count + 1))
# Rows without one of the figures have no place here.
known(_) = column("import_ns") > 0 && column("hitch_total_ns") >= 0
set xrange [-1:1]
set yrange [-1:1]
set table $unused
plot summary using (known(0) ? (names = names . " " . name(0), \
    longest_name = larger(longest_name, strlen(name(0))), imports = imports . sprintf(" %.9g", import_s(0)), \
    hitches = hitches . sprintf(" %.9g", hitch_ms(0)), ranged(import_s(0), hitch_ms(0)), 0) : 0):(0), \
  trials using (known(0) ? (ranged(import_s(0), hitch_ms(0)), 0) : 0):(0)
unset table
set autoscale
count = words(names)
if (count == 0) { printerr summary . ": no row has both times"; exit status 1 }

# Ranges: the hitch axis is logarithmic, with whole decades; without hitches at all it shows one decade. A total of zero,
# which a logarithm has no place for, is drawn on a line of its own below.
if (highest_y == 0) { lowest_y = 10; highest_y = 10 }
bottom_decade = floor(log10(lowest_y))
top_decade = ceil(log10(highest_y * 1.05))
zero_y = 10 ** (bottom_decade - 0.5)
# A hair more than the decades, lest rounding lose the outermost numbers.
first_y = 0.99 * 10.0 ** (zero_count > 0 ? bottom_decade - 1 : bottom_decade)
last_y = 1.01 * 10.0 ** top_decade
placed(y) = y > 0 ? y : zero_y
graph_y(y) = log(placed(y) / first_y) / log(last_y / first_y)
# The import axis is logarithmic only where the times differ more than tenfold.
spread = larger(last_x - first_x, 0.2 * last_x)
from_x = last_x > 10 * first_x ? first_x / 1.4 : larger(0, first_x - 0.15 * spread)
to_x = last_x > 10 * first_x ? last_x * 1.4 : last_x + 0.15 * spread

width = 1200
left = 115; right = 80 + 8.5 * longest_name; top = 95; bottom = 75
plot_height = larger(480, count * 30)
height = top + bottom + plot_height

# Places of the names, as parts of the plot's height: sorted by mark, then pushed apart upwards and, from the top, back.
array place[count]
array order[count]
do for [i = 1:count] {
  place[i] = graph_y(word(hitches, i) + 0.0)
  order[i] = i
}
do for [i = 1:count] {
  do for [j = 1:count - i] {
    if (place[order[j]] > place[order[j + 1]]) { swap = order[j]; order[j] = order[j + 1]; order[j + 1] = swap }
  }
}
line_height = 26.0 / plot_height
do for [i = 2:count] {
  place[order[i]] = larger(place[order[i]], place[order[i - 1]] + line_height)
}
ceiling = 1 - line_height / 2
do for [i = 1:count] {
  j = count + 1 - i
  place[order[j]] = smaller(place[order[j]], ceiling)
  ceiling = place[order[j]] - line_height
}

# Okabe and Ito's colours, and a shape besides: one more than colours, so that pairs repeat late.
colours = "#0072b2 #d55e00 #009e73 #cc79a7 #e69f00 #56b4e9 #000000"
shapes = "7 5 9 11 13 15 4 6"
colour(i) = word(colours, (i - 1) % words(colours) + 1)
shape(i) = int(word(shapes, (i - 1) % words(shapes) + 1))

if (format_name eq "png") {
  set terminal pngcairo size 2 * width, 2 * height noenhanced font "Helvetica,12" fontscale 2 linewidth 2 pointscale 2 \
    background rgb "white"
} else {
  set terminal svg size width, height noenhanced font "Helvetica,15" background rgb "white"
}
title_font = format_name eq "png" ? "Helvetica,17" : "Helvetica,22"
set output ARG2 . "/import-vs-hitch." . format_name
set lmargin at screen left / (1.0 * width)
set rmargin at screen 1 - right / (1.0 * width)
set bmargin at screen bottom / (1.0 * height)
set tmargin at screen 1 - top / (1.0 * height)

set label 1 "Import time against hitches" at screen 24.0 / width, screen 1 - 30.0 / height font title_font
set label 2 "lower is smoother, further left is faster; large: medians over trials or drawn devices, small: each trial" \
  at screen 24.0 / width, screen 1 - 56.0 / height textcolor rgb "#555555"
set xlabel "import time (s)"
set label 3 "total hitch time (ms)" at screen 24.0 / width, \
  screen (bottom + plot_height / 2.0) / height rotate by 90 center
set border 3 linecolor rgb "#666666"
set grid xtics ytics linecolor rgb "#e4e4e4" linetype 1
set tics nomirror textcolor rgb "#333333"
set logscale y
set mytics 1
if (last_x > 10 * first_x) {
  set logscale x
  set mxtics 1
  set xtics ()
  do for [decade = floor(log10(from_x)):floor(log10(to_x))] {
    do for [step in "1 2 5"] { set xtics add (sprintf("%g", step * 10.0 ** decade) step * 10.0 ** decade) }
  }
}
set format x "%g"
unset key
set xrange [from_x:to_x]
set yrange [first_y:last_y]
# Only the decades that hold hitches; a space between thousands would be ambiguous, so a comma.
grouped(n) = n < 1000 ? sprintf("%g", n) : n < 1e6 ? sprintf("%d,%03d", int(n) / 1000, int(n) % 1000) : \
  sprintf("%d,%03d,%03d", int(n) / 1000000, int(n) / 1000 % 1000, int(n) % 1000)
set ytics ()
do for [decade = bottom_decade:top_decade] { set ytics add (grouped(10.0 ** decade) 10.0 ** decade) }
if (zero_count > 0) { set ytics add ("none" zero_y) }

# Lines first, so that marks lie over them.
do for [i = 1:count] {
  set arrow 100 + i from first word(imports, i) + 0.0, first placed(word(hitches, i) + 0.0) \
    to graph 1.03, graph place[i] nohead back linecolor rgb "#bbbbbb" linewidth 0.7
  set label 200 + i word(names, i) at graph 1.055, graph place[i] left
  set label 300 + i "" at graph 1.04, graph place[i] point pointtype shape(i) pointsize 0.8 linecolor rgb colour(i)
}

trial_of(i) = known(0) && name(0) eq word(names, i) ? placed(hitch_ms(0)) : NaN
plot for [i = 1:count] trials using (import_s(0)):(trial_of(i)) with points pointtype shape(i) pointsize 0.4 \
    linecolor rgb "#70" . substr(colour(i), 2, 7) title word(names, i), \
  for [i = 1:count] "+" using (word(imports, i) + 0.0):(placed(word(hitches, i) + 0.0)) every ::0::0 \
    with points pointtype shape(i) pointsize 1.3 linecolor rgb colour(i) title word(names, i)
