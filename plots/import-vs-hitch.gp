# The cost of a fast import for the user: import time against total hitch time, one labelled mark a topology.
#
#   gnuplot -c plots/import-vs-hitch.gp RESULTS OUT [svg|png|phone [DATE]]     writes OUT/import-vs-hitch.svg
#
# reads: summary.csv trials.csv
# reads if there: draws.csv
#
# Names are in a column at the right, in the order of the marks and never closer than a line, with a thin line to the
# mark: however close the marks lie, no name covers another. On a phone they are below, the best first. Faint dots are
# the single trials or drawn devices, and thin lines their 5 to 95 % range.

if (ARGC < 2 || ARGC > 4) { printerr "usage: gnuplot -c plots/import-vs-hitch.gp RESULTS OUT [svg|png|phone [DATE]]"; exit status 64 }
format_name = ARGC > 2 ? ARG3 : "svg"
summary = ARG1 . "/summary.csv"
trials = ARG1 . "/trials.csv"
chart_date = ARG4
results = ARG1
load ARG0[1:strlen(ARG0) - strlen("import-vs-hitch.gp")] . "common/common.gp"
# The marks are medians over the draws if there are any, so that the trials on the profile's own device have no place
# here.
if (has_draws) { trials = ARG1 . "/draws.csv" }

# The stacks with both figures, in the order of the summary; rows without one of them have no place here.
import_s(_) = column("import_ns") / 1e9
hitch_ms(_) = column("hitch_total_ns") / 1e6
imports = ""; hitches = ""
first_x = 1e99; last_x = 0
lowest_y = 1e99; highest_y = 0; zero_count = 0
in_range(x, y) = (first_x = smaller(first_x, x), last_x = larger(last_x, x), \
  y > 0 ? (lowest_y = smaller(lowest_y, y), highest_y = larger(highest_y, y)) : (zero_count = zero_count + 1))
known(_) = column("import_ns") > 0 && column("hitch_total_ns") >= 0
set xrange [-1:1]
set yrange [-1:1]
set table $unused
plot summary using (known(0) ? (names = names . " \"" . name(0) . "\"", subject = subject_of(0), \
    longest_name = larger(longest_name, strlen(name(0))), imports = imports . sprintf(" %.9g", import_s(0)), \
    hitches = hitches . sprintf(" %.9g", hitch_ms(0)), in_range(import_s(0), hitch_ms(0)), 0) : 0):(0), \
  trials using (known(0) ? (in_range(import_s(0), hitch_ms(0)), 0) : 0):(0)
unset table
set autoscale
count = words(names)
if (count == 0) { printerr summary . ": no row has both times"; exit status 1 }
ranked_hitches = hitches
ranked_imports = imports
array order[count]
eval rank_stacks
eval number_stacks

# The 5th and 95th percentiles of each stack, by nearest rank. The rows of other stacks do not count.
array low_x[count]
array high_x[count]
array low_y[count]
array high_y[count]
value_now(what, _) = what eq "import_s" ? import_s(0) : hitch_ms(0)
place_known(i) = known(0) && name(0) eq word(names, i)
rank_end(x, upto) = (low_end = upto >= 0.05 * total && low_end < 0 ? x : low_end, \
  high_end = upto >= 0.95 * total && high_end < 0 ? x : high_end, 0)
ends_of = 'undefine $ranked; set xrange [-1:1e12]; set yrange [-1:1e12]; set table $ranked; ' . \
  'plot trials using (place_known(i) ? value_now(value_of, 0) : -1):(place_known(i) ? 1 : 0) smooth cumulative; unset table; ' . \
  'unset datafile columnheaders; set datafile separator whitespace; total = 0.0; low_end = -1; high_end = -1; ' . \
  'set table $unused; plot $ranked using (total = larger(total, $2), 0):(0); ' . \
  'plot $ranked using (rank_end($1, $2)):(0); unset table; set datafile separator comma; set datafile columnheaders'
do for [i = 1:count] {
  value_of = "import_s"
  eval ends_of
  low_x[i] = low_end; high_x[i] = high_end
  value_of = "hitch_ms"
  eval ends_of
  low_y[i] = low_end; high_y[i] = high_end
}
set autoscale

# Ranges: the hitch axis is logarithmic, with whole decades; without hitches at all it shows one decade. A total of
# zero, which a logarithm has no place for, is drawn on a separate line below.
if (highest_y == 0) { lowest_y = 10; highest_y = 10 }
bottom_decade = floor(log10(lowest_y))
top_decade = ceil(log10(highest_y * 1.05))
zero_y = 10 ** (bottom_decade - 0.5)
# The range is slightly larger than the decades, so that rounding does not lose the outermost numbers.
first_y = 0.99 * 10.0 ** (zero_count > 0 ? bottom_decade - 1 : bottom_decade)
last_y = 1.01 * 10.0 ** top_decade
placed(y) = y > 0 ? y : zero_y
graph_y(y) = log(placed(y) / first_y) / log(last_y / first_y)
# The import axis is logarithmic only where the times differ more than tenfold.
is_logarithmic = last_x > 10 * first_x
spread = larger(last_x - first_x, 0.2 * last_x)
from_x = is_logarithmic ? first_x / 1.4 : larger(0, first_x - 0.15 * spread)
to_x = is_logarithmic ? last_x * 1.4 : last_x + 0.15 * spread

chart_title = "Import time and total hitch"
chart_note = "lower is smoother, further left is faster; large marks: medians over " . (has_draws ? "drawn devices; small marks: single devices" : "trials; small marks: single trials") . \
  "; thin lines: 5 to 95 % of them; " . \
  "total hitch is on a logarithmic scale" . (is_logarithmic ? ", and so is import" : \
  from_x > 0 ? sprintf("; the import axis begins at %.3g s", from_x) : "")
chart_subject = subject
left = is_phone ? 84 : 115; right = is_phone ? 16 : 80 + 8.5 * longest_name
top = head_pixels(chart_note, chart_subject) + (is_phone ? 14 : 16)
bottom = is_phone ? 76 + count * 22 : 75
natural_height = is_phone ? 300 : larger(480, count * 30)
least_height = larger(160, count * 26)
eval fit_height

# Places of the names, as parts of the plot's height: sorted by mark, then pushed apart upwards and, from the top, back.
array place[count]
array marks[count]
do for [i = 1:count] {
  place[i] = graph_y(word(hitches, i) + 0.0)
  marks[i] = i
}
do for [i = 1:count] {
  do for [j = 1:count - i] {
    if (place[marks[j]] > place[marks[j + 1]]) { swap = marks[j]; marks[j] = marks[j + 1]; marks[j + 1] = swap }
  }
}
line_height = 26.0 / plot_height
do for [i = 2:count] {
  place[marks[i]] = larger(place[marks[i]], place[marks[i - 1]] + line_height)
}
ceiling = 1 - line_height / 2
do for [i = 1:count] {
  j = count + 1 - i
  place[marks[j]] = smaller(place[marks[j]], ceiling)
  ceiling = place[marks[j]] - line_height
}

eval set_terminal
set output ARG2 . "/import-vs-hitch" . suffix
eval set_margins
eval set_head
eval set_axes
set label 3 "total hitch (ms)" at screen (is_phone ? 10.0 : 24.0) / width, \
  screen (bottom + plot_height / 2.0) / height rotate by 90 center
if (is_phone) {
  set label 5 "import (s)" at graph 0.5, graph 0 offset 0, -2.6 center
} else {
  set xlabel "import (s)"
}
set grid xtics ytics linecolor rgb "#e4e4e4" linetype 1
set logscale y
set mytics 1
if (is_logarithmic) {
  set logscale x
  set mxtics 1
  set xtics ()
  do for [decade = floor(log10(from_x)):floor(log10(to_x))] {
    do for [step in is_phone ? "1" : "1 2 5"] { set xtics add (sprintf("%g", step * 10.0 ** decade) step * 10.0 ** decade) }
  }
} else {
  if (is_phone) {
    set xtics tic_step(to_x - from_x)
  }
}
set format x "%g"
unset key
set xrange [from_x:to_x]
set yrange [first_y:last_y]
# The axis shows the decades that hold hitches.
set ytics ()
do for [decade = bottom_decade:top_decade] { set ytics add (grouped(10.0 ** decade) 10.0 ** decade) }
if (zero_count > 0) { set ytics add ("none" zero_y) }

# Lines first, so that marks lie over them.
do for [k = 1:count] {
  i = order[k]
  if (is_phone) {
    at = (bottom - 80.0 - (k - 1) * 22) / height
    set label 200 + i word(names, i) at screen 30.0 / width, screen at left
    set label 300 + i "" at screen 17.0 / width, screen at point pointtype shape(i) pointsize 0.8 linecolor rgb colour(i)
  } else {
    set arrow 100 + i from first word(imports, i) + 0.0, first placed(word(hitches, i) + 0.0) \
      to graph 1.03, graph place[i] nohead back linecolor rgb "#bbbbbb" linewidth 0.7
    set label 200 + i word(names, i) at graph 1.055, graph place[i] left
    set label 300 + i "" at graph 1.04, graph place[i] point pointtype shape(i) pointsize 0.8 linecolor rgb colour(i)
  }
}

trial_of(i) = known(0) && name(0) eq word(names, i) ? placed(hitch_ms(0)) : NaN
plot for [i = 1:count] trials using (import_s(0)):(trial_of(i)) with points pointtype shape(i) pointsize 0.4 \
    linecolor rgb "#70" . substr(colour(i), 2, 7) title word(names, i), \
  for [i = 1:count] "+" using (word(imports, i) + 0.0):(placed(word(hitches, i) + 0.0)):(low_x[i]):(high_x[i]): \
    (placed(low_y[i])):(placed(high_y[i])) every ::0::0 with xyerrorbars pointtype 0 linewidth 1.2 \
    linecolor rgb colour(i) notitle, \
  for [i = 1:count] "+" using (word(imports, i) + 0.0):(placed(word(hitches, i) + 0.0)) every ::0::0 \
    with points pointtype shape(i) pointsize (is_phone ? 1 : 1.3) linecolor rgb colour(i) title word(names, i)
