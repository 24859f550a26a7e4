# A sweep's measures against the varied value: a chart a measure, a line a stack.
#
#   gnuplot -c plots/sweep/sweep.gp SWEEP.csv OUT FLAGS X LABEL KIND APART MEASURES
#
# reads SWEEP.csv, whose first FLAGS columns are the varied flags; writes OUT/MEASURE.svg for each of MEASURES. X is the
# number of the flag on the horizontal axis and LABEL its name; KIND says whether its values are numbers ("numeric") or
# names ("named"); APART are the numbers of the flags that tell lines apart beside the stack. `stackbench sweep` fills
# all that in.
#
# A mark is a trial; a line runs through the mean of the trials that share a point.

if (ARGC != 8) { printerr "usage: gnuplot -c plots/sweep/sweep.gp SWEEP.csv OUT FLAGS X LABEL KIND APART MEASURES"; exit status 64 }
sweep = ARG1
flags = int(ARG3)
x_column = int(ARG4)
is_numeric = ARG6 eq "numeric"
apart = ARG7
measures = ARG8

set datafile separator comma
set datafile columnheaders
# So that a line runs on past the rows of the others.
set datafile missing NaN

smaller(a, b) = a < b ? a : b
larger(a, b) = a > b ? a : b

# The columns of trials.csv follow the flags: topology, variant, …. A name stands in quotes, which word() honours.
stack(_) = strcol(flags + 1) . (strlen(strcol(flags + 2)) ? "/" . strcol(flags + 2) : "")
flag_values(_) = sum_text(1, "")
sum_text(i, text) = i > words(apart) ? text : sum_text(i + 1, text . ", " . strcol(int(word(apart, i))))
name(_) = '"' . stack(0) . flag_values(0) . '"'
quoted_value(_) = '"' . strcol(x_column) . '"'
# The place of a quoted word in a list of such; 0 = not there.
place_of(list, text) = place_from(list, text, 1)
place_from(list, text, i) = i > words(list) ? 0 : ('"' . word(list, i) . '"') eq text ? i : place_from(list, text, i + 1)
with(list, text) = place_of(list, text) ? list : list . " " . text

# The lines and the values, in the order of the table. A CSV's text can be had by plotting it into a table only.
names = ""; values = ""; longest_name = 0
first_x = 1e99; last_x = -1e99
set xrange [-1:1]
set yrange [-1:1]
set table $unused
plot sweep using (names = with(names, name(0)), values = with(values, quoted_value(0)), \
  longest_name = larger(longest_name, strlen(name(0)) - 2), first_x = smaller(first_x, column(x_column)), \
  last_x = larger(last_x, column(x_column)), 0):(0)
unset table
set autoscale
count = words(names)
if (count == 0) { printerr sweep . ": no rows"; exit status 1 }

x(_) = is_numeric ? column(x_column) : place_of(values, quoted_value(0))

width = 1200
left = 110; right = 60 + larger(120, 8.5 * longest_name); top = 95; bottom = 80
plot_height = larger(460, count * 26 + 20)
height = top + bottom + plot_height

# Okabe and Ito's colours, and a shape besides: one more than colours, so that pairs repeat late.
colours = "#0072b2 #d55e00 #009e73 #cc79a7 #e69f00 #56b4e9 #000000"
shapes = "7 5 9 11 13 15 4 6"
colour(i) = word(colours, (i - 1) % words(colours) + 1)
shape(i) = int(word(shapes, (i - 1) % words(shapes) + 1))

set terminal svg size width, height noenhanced font "Helvetica,15" background rgb "white"
set lmargin at screen left / (1.0 * width)
set rmargin at screen 1 - right / (1.0 * width)
set bmargin at screen bottom / (1.0 * height)
set tmargin at screen 1 - top / (1.0 * height)
set xlabel ARG5
set label 2 "against " . ARG5 . "; a mark is a trial, a line runs through their means" \
  at screen 24.0 / width, screen 1 - 56.0 / height textcolor rgb "#555555"
set border 3 linecolor rgb "#666666"
set grid ytics linecolor rgb "#e4e4e4" linetype 1
set tics nomirror textcolor rgb "#333333"
set key at screen 1 - (right - 20.0) / width, screen 1 - top / (1.0 * height) left top Left reverse samplen 1.5 \
  spacing 1.35 noautotitle

# Digits in groups of three; a space between thousands would be ambiguous, so a comma.
grouped(n) = n < 1000 ? sprintf("%g", n) : n < 1e6 ? sprintf("%d,%03d", int(n) / 1000, int(n) % 1000) : \
  sprintf("%d,%03d,%03d", int(n) / 1000000, int(n) / 1000 % 1000, int(n) % 1000)

# The horizontal axis: a mark at every value that was run; logarithmic where they differ more than tenfold.
is_logarithmic = is_numeric && first_x > 0 && last_x > 10 * first_x
if (!is_numeric) { first_x = 1; last_x = words(values) }
spread = last_x > first_x ? last_x - first_x : larger(1, abs(last_x))
if (is_logarithmic) {
  set logscale x
  set mxtics 1
  set xrange [first_x / 1.15:last_x * 1.15]
} else {
  set xrange [first_x - 0.04 * spread:last_x + 0.04 * spread]
}
# As many numbers as have room, the outermost always; from the right, since large ones are the longer.
plot_width = width - left - right
graph_x(v) = is_logarithmic ? log(v / first_x) / log(last_x / first_x) : (v - first_x) / (1.0 * spread)
set xtics nomirror ()
label_width(text) = (strlen(text) * 8.5 + 14.0) / plot_width
array sorted[words(values)]
do for [i = 1:words(values)] { sorted[i] = is_numeric ? word(values, i) + 0.0 : i }
do for [i = 1:words(values)] {
  do for [j = 1:words(values) - i] {
    if (sorted[j] > sorted[j + 1]) { swap = sorted[j]; sorted[j] = sorted[j + 1]; sorted[j + 1] = swap }
  }
}
free = 2.0
do for [i = 1:words(values)] {
  j = words(values) + 1 - i
  text = is_numeric ? grouped(sorted[j]) : word(values, j)
  if (graph_x(sorted[j]) + label_width(text) / 2 < free) {
    set xtics add (text sorted[j])
    free = graph_x(sorted[j]) - label_width(text) / 2
  } else {
    set xtics add ("" sorted[j])
  }
}

# A measure's column says its unit after its name, and the statistic last: stall_ns_p99.
text_after(text, part) = strstrt(text, part) ? text[strstrt(text, part) + strlen(part):*] : ""
text_before(text, part) = strstrt(text, part) ? text[1:strstrt(text, part) - 1] : text
spaced(text) = strstrt(text, "_") ? spaced(text[1:strstrt(text, "_") - 1] . " " . text[strstrt(text, "_") + 1:*]) : text
unit_of(measure) = measure eq "hitch_us_per_s" ? "_us_per_s" : measure eq "rows_per_second" ? "" : \
  strstrt(measure, "_ns") ? "_ns" : strstrt(measure, "_bytes") ? "_bytes" : strstrt(measure, "_count") ? "_count" : ""
title_of(measure) = unit_of(measure) eq "" ? spaced(measure) : \
  spaced(text_before(measure, unit_of(measure)) . text_after(measure, unit_of(measure)))
upper_first(text) = (at = strstrt("abcdefghijklmnopqrstuvwxyz", text[1:1]), \
  at ? "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[at:at] . text[2:*] : text)

do for [measure in measures] {
  lowest = 1e99; highest = 0; zero_count = 0; known_count = 0
  seen(v) = (known_count = known_count + 1, highest = larger(highest, v), \
    v > 0 ? (lowest = smaller(lowest, v)) : (zero_count = zero_count + 1))
  set yrange [-1:1]
  set table $unused
  plot sweep using (x(0)):(column(measure) >= 0 ? (seen(column(measure)), 0) : 0)
  unset table

  unit = unit_of(measure)
  divisor = unit eq "_ns" ? (highest >= 1e10 ? 1e9 : 1e6) : unit eq "_bytes" ? 1e6 : unit eq "_us_per_s" ? 1e3 : 1.0
  unit_text = unit eq "_ns" ? (highest >= 1e10 ? " (s)" : " (ms)") : unit eq "_bytes" ? " (MB)" : \
    unit eq "_us_per_s" ? " (ms per s)" : ""
  y(_) = column(measure) / divisor
  set output ARG2 . "/" . measure . ".svg"
  set label 1 upper_first(title_of(measure)) . unit_text at screen 24.0 / width, screen 1 - 30.0 / height \
    font "Helvetica,22"

  # From zero; where values differ more than a hundredfold, logarithmic above the least of them and linear below it, so
  # that zero has its place.
  unset nonlinear y
  unset ytics
  set yrange [*:*]
  unset mytics
  if (highest > 100 * lowest) {
    lowest_y = lowest / divisor
    highest_y = highest / divisor
    decade = floor(log10(lowest_y))
    scale = 10.0 ** decade
    set nonlinear y via asinh(y / scale) inverse scale * sinh(y)
    set yrange [0:highest_y * 1.3]
    set ytics nomirror ("0" 0)
    do for [power = decade:ceil(log10(highest_y))] {
      if (10.0 ** power <= highest_y * 1.3) { set ytics add (grouped(10.0 ** power) 10.0 ** power) }
    }
  } else {
    set ytics nomirror autofreq
    set yrange [0:highest > 0 ? highest / divisor * 1.06 : 1]
  }
  of(i) = ('"' . word(names, i) . '"') eq name(0) ? y(0) : NaN
  plot for [i = 1:count] sweep using (x(0)):(of(i)) smooth unique with lines linewidth 1.6 linecolor rgb colour(i), \
    for [i = 1:count] sweep using (x(0)):(of(i)) with points pointtype shape(i) pointsize 0.8 \
      linecolor rgb colour(i), \
    for [i = 1:count] keyentry with linespoints linewidth 1.6 pointtype shape(i) pointsize 0.8 \
      linecolor rgb colour(i) title word(names, i)
}
