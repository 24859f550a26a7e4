# The engine's time for each row, change or save against the number of rows: a line a case, and both axes logarithmic.
#
#   gnuplot -c plots/scale/scale.gp RESULTS OUT [svg|png]     writes OUT/scale.svg from RESULTS/scale.csv
#
# A level line is a time in proportion to the rows. The names have the fitted exponent, and are in the order of the
# lines' ends.

if (ARGC < 2 || ARGC > 3) { printerr "usage: gnuplot -c plots/scale/scale.gp RESULTS OUT [svg|png]"; exit status 64 }
scale = ARG1 . "/scale.csv"
format_name = ARGC > 2 ? ARG3 : "svg"
load ARG0[1:strlen(ARG0) - strlen("scale/scale.gp")] . "common/common.gp"

# The cases that grow with rows, in the order of the table. Rows of a case follow each other.
is_case(_) = strcol("size_of") eq "rows"
unit_time(_) = column("nanoseconds") / (1.0 * column("units"))
ends = ""; exponents = ""; last = ""; highest = 0; lowest = 1e99; first_size = 1e99; last_size = 0
with_last(list, text) = strcol("case") eq last ? list[1:strlen(list) - strlen(word(list, words(list)))] . text : list . " " . text
set xrange [-1:1]
set yrange [-1:1]
set table $unused
plot scale using (is_case(0) ? (ends = with_last(ends, sprintf("%.9g", unit_time(0))), \
  exponents = with_last(exponents, sprintf("%.2f", column("exponent_milli") / 1000.0)), \
  names = strcol("case") eq last ? names : names . " " . strcol("case"), last = strcol("case"), \
  highest = larger(highest, unit_time(0)), lowest = smaller(lowest, unit_time(0)), \
  first_size = smaller(first_size, column("size")), last_size = larger(last_size, column("size")), 0) : 0):(0)
unset table
count = words(names)
if (count == 0) { printerr scale . ": no rows"; exit status 1 }

chart_title = "The engine's time by the number of rows"
chart_note = "nanoseconds for each row, change or save, the least of all rounds; a level line grows in proportion to the rows; " . \
  "the number behind a name is the power of the rows with which the whole time grows"
chart_subject = "live machine"
left = 110; right = 270; top = head_pixels(chart_note, chart_subject) + 16; bottom = 75
natural_height = larger(480, count * 26); least_height = count * 24
eval fit_height

# Places of the names, pushed apart upwards and, from the top, back.
graph_y(y) = log(y / (lowest / 1.3)) / log(highest * 1.3 / (lowest / 1.3))
array place[count]
array order[count]
do for [i = 1:count] { place[i] = graph_y(word(ends, i) + 0.0); order[i] = i }
do for [i = 1:count] { do for [j = 1:count - i] { if (place[order[j]] > place[order[j + 1]]) {
  swap = order[j]; order[j] = order[j + 1]; order[j + 1] = swap } } }
line_height = 24.0 / plot_height
do for [i = 2:count] { place[order[i]] = larger(place[order[i]], place[order[i - 1]] + line_height) }
ceiling = 1 - line_height / 2
do for [i = 1:count] {
  j = order[count + 1 - i]
  place[j] = smaller(place[j], ceiling)
  ceiling = place[j] - line_height
}

colour(i) = word(colours, (i - 1) % words(colours) + 1)
shape(i) = int(word(shapes, (i - 1) % words(shapes) + 1))
eval set_terminal
set output ARG2 . "/scale" . suffix
eval set_margins
eval set_head
eval set_axes
set label 3 "ns" at screen 24.0 / width, screen (bottom + plot_height / 2.0) / height rotate by 90 center
set xlabel "rows"
set grid ytics linecolor rgb "#e4e4e4" linetype 1
set logscale xy
set mxtics 1
set mytics 1
unset key
set xrange [first_size / 1.02:last_size * 1.02]
set yrange [lowest / 1.3:highest * 1.3]
set xtics ()
set ytics ()
do for [decade = 0:12] {
  do for [digit in "1 3"] {
    at = digit * 10.0 ** decade
    if (at > 0.999 * first_size && at < 1.001 * last_size) { set xtics add (grouped(at) at) }
  }
  set ytics add (grouped(10.0 ** decade) 10.0 ** decade)
}
do for [i = 1:count] {
  set arrow 100 + i from first last_size, first (word(ends, i) + 0.0) to graph 1.02, graph place[i] nohead back \
    linecolor rgb "#bbbbbb" linewidth 0.7
  set label 200 + i word(names, i) . "  " . word(exponents, i) at graph 1.03, graph place[i] left
}
plot for [i = 1:count] scale using (is_case(0) && strcol("case") eq word(names, i) ? column("size") : NaN):(unit_time(0)) \
  with linespoints linewidth 2 pointtype shape(i) linecolor rgb colour(i)
