# A sweep's measures against the varied value: a chart a measure, a line a stack.
#
#   gnuplot -c plots/sweep/sweep.gp TABLES OUT FLAGS X LABEL KIND APART MEASURES FORMAT
#
# reads TABLES/sweep.csv with a row for each trial, and TABLES/ranges.csv with a row for each point and stack: the
# median of each measure and the ends of its range. The first FLAGS columns of both are the varied flags. The script
# writes OUT/MEASURE.svg for each of MEASURES. X is the number of the flag on the horizontal axis and LABEL its name;
# KIND says whether its values are numbers ("numeric") or names ("named"); APART are the numbers of the flags that
# distinguish lines in addition to the stack; FORMAT is svg or phone. `stackbench sweep` fills all that in. With -e it
# sets chart_date, the day that the charts name, and are_drawn, which is 1 if the trials are on drawn devices.
#
# A small mark is a trial. A large mark is the median of the trials that share a point, with their range.

if (ARGC != 9) { printerr "usage: gnuplot -c plots/sweep/sweep.gp TABLES OUT FLAGS X LABEL KIND APART MEASURES FORMAT"; exit status 64 }
sweep = ARG1 . "/sweep.csv"
ranges = ARG1 . "/ranges.csv"
flags = int(ARG3)
x_column = int(ARG4)
is_numeric = ARG6 eq "numeric"
apart = ARG7
measures = ARG8
format_name = ARG9
if (!exists("chart_date")) chart_date = ""
if (!exists("are_drawn")) are_drawn = 0
load ARG0[1:strlen(ARG0) - strlen("sweep/sweep.gp")] . "common/common.gp"

# A missing value lets a line run on past the rows of the others.
set datafile missing NaN

# The columns of trials.csv follow the flags: topology, variant, …. A name is in quotes, which word() honours.
stack(_) = strcol(flags + 1) . (strlen(strcol(flags + 2)) ? "/" . strcol(flags + 2) : "")
flag_values(_) = sum_text(1, "")
sum_text(i, text) = i > words(apart) ? text : sum_text(i + 1, text . ", " . strcol(int(word(apart, i))))
name(_) = '"' . stack(0) . flag_values(0) . '"'
quoted_value(_) = '"' . strcol(x_column) . '"'
with(list, text) = word_place(list, text) ? list : list . " " . text

quoted_machine(_) = '"' . strcol("machine") . (strlen(strcol("profile")) ? " " . strcol("profile") : "") . '"'

# The lines and the values, in the order of the table. A CSV's text can be had by plotting it into a table only.
values = ""; machines = ""; row_counts = ""; trial_count = 0
first_x = 1e99; last_x = -1e99
set xrange [-1:1]
set yrange [-1:1]
set table $unused
plot sweep using (trial_count = trial_count + 1, names = with(names, name(0)), values = with(values, quoted_value(0)), \
  machines = with(machines, quoted_machine(0)), row_counts = with(row_counts, '"' . grouped(column("rows")) . '"'), \
  longest_name = larger(longest_name, strlen(name(0)) - 2), first_x = smaller(first_x, column(x_column)), \
  last_x = larger(last_x, column(x_column)), 0):(0)
point_count = 0
plot ranges using (point_count = point_count + 1, 0):(0)
unset table
set autoscale
count = words(names)
if (count == 0) { printerr sweep . ": no rows"; exit status 1 }

x(_) = is_numeric ? column(x_column) : word_place(values, quoted_value(0))

# The lines from the least hitches to the most, over all their trials together.
array hitch_sum[count]
array order[count]
eval number_stacks
do for [i = 1:count] { hitch_sum[i] = 0 }
add_hitches(i, v) = i > 0 && v >= 0 ? (hitch_sum[i] = hitch_sum[i] + v, 0) : 0
set xrange [-1:1]
set yrange [-1:1]
set table $unused
plot sweep using (add_hitches(word_place(names, name(0)), column("hitch_total_ns"))):(0)
unset table
set autoscale
do for [i = 1:count] { order[i] = i }
do for [i = 1:count] {
  do for [j = 1:count - i] {
    if (hitch_sum[order[j]] > hitch_sum[order[j + 1]]) { swap = order[j]; order[j] = order[j + 1]; order[j + 1] = swap }
  }
}

# Machine and rows, as far as all trials have them in common.
chart_subject = (words(machines) == 1 ? word(machines, 1) . " machine, " : sprintf("%d machines, ", words(machines))) . \
  (words(row_counts) == 1 ? word(row_counts, 1) . " rows" : sprintf("%d numbers of rows", words(row_counts))) . \
  (strlen(chart_date) ? ", " . chart_date : "")

left = is_phone ? 84 : 110; right = is_phone ? 20 : 60 + larger(120, 8.5 * longest_name)
# The names of values are vertical on a phone, because they do not fit side by side.
is_upright = is_phone && !is_numeric
longest_value = 0
do for [i = 1:words(values)] { longest_value = larger(longest_value, strlen(word(values, i))) }
legend_pixels = 22 * count + 8
bottom = is_phone ? legend_pixels + 58 + (is_upright ? 8.5 * longest_value : 0) : 80
natural_height = is_phone ? 280 : larger(460, count * 26 + 20)
least_height = is_phone ? 280 : larger(160, count * 26 + 20)

# A label of a tic is a format if it has a per cent sign, and is cut off after some fifty characters. A wide per cent
# sign has no such effect.
label_of(text) = strstrt(text, "%") ? text[1:strstrt(text, "%") - 1] . "％" . label_of(text[strstrt(text, "%") + 1:*]) : text

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
# The axis has as many numbers as have room, the outermost always. They are chosen from the right, since large numbers
# are longer.
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
  if (is_upright || graph_x(sorted[j]) + label_width(text) / 2 < free) {
    set xtics add (label_of(text) sorted[j])
    free = graph_x(sorted[j]) - label_width(text) / 2
  } else {
    set xtics add ("" sorted[j])
  }
}

# The title of a measure, as the tables have it. A column says its unit after its name, and the statistic last:
# stall_ns_p99.
text_after(text, part) = strstrt(text, part) ? text[strstrt(text, part) + strlen(part):*] : ""
text_before(text, part) = strstrt(text, part) ? text[1:strstrt(text, part) - 1] : text
spaced(text) = strstrt(text, "_") ? spaced(text[1:strstrt(text, "_") - 1] . " " . text[strstrt(text, "_") + 1:*]) : text
shortened(text) = strstrt(text, "time_to_") == 1 ? text[9:*] : \
  strstrt(text, "edit_response_") == 1 ? "edit_" . text[15:*] : text
unit_of(measure) = measure eq "hitch_us_per_s" ? "_us_per_s" : measure eq "rows_per_second" ? "" : \
  strstrt(measure, "_ns") ? "_ns" : strstrt(measure, "_bytes") ? "_bytes" : strstrt(measure, "_count") ? "_count" : ""
title_of(measure) = measure eq "hitch_total_ns" ? "total hitch" : measure eq "frames_dropped_count" ? "dropped" : \
  measure eq "at_risk_ns_max" ? "at risk" : measure eq "sql_statements_count" ? "SQL" : \
  unit_of(measure) eq "" ? spaced(measure) : \
  spaced(shortened(text_before(measure, unit_of(measure)) . text_after(measure, unit_of(measure))))
upper_first(text) = (at = strstrt("abcdefghijklmnopqrstuvwxyz", text[1:1]), \
  at ? "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[at:at] . text[2:*] : text)

# Several trials of a point are drawn as their median and range. Stacks stand side by side, so that no range hides
# another.
has_ranges = trial_count > point_count
range_note = has_ranges ? "; marks and lines: medians; bars: " . (are_drawn ? "5 to 95 % of the drawn devices" : \
  "least to greatest trial") . "; small marks: " . (are_drawn ? "devices" : "trials") : "; a mark is a trial"
side_step = has_ranges && count > 1 ? smaller(0.012, 0.5 / (count * words(values))) : 0
beside(v, i) = is_logarithmic ? v * exp((i - (count + 1) / 2.0) * side_step * log(last_x / first_x)) : \
  v + (i - (count + 1) / 2.0) * side_step * spread

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
    unit eq "_us_per_s" ? " (ms/s)" : ""
  y(_) = column(measure) / divisor
  chart_title = upper_first(title_of(measure)) . unit_text
  chart_note = "by " . ARG5 . range_note . \
    (highest > 100 * lowest ? "; logarithmic above the least value, linear below it" : "")
  top = head_pixels(chart_note, chart_subject) + (is_phone ? 14 : 16)
  eval fit_height
  eval set_terminal
  set output ARG2 . "/" . measure . suffix
  eval set_margins
  eval set_head
  eval set_axes
  set grid ytics linecolor rgb "#e4e4e4" linetype 1
  if (is_phone) {
    if (is_upright) { set xtics rotate by 90 right }
    set label 5 ARG5 at graph 0.5, screen (legend_pixels + 18.0) / height center
    unset key
    do for [k = 1:count] {
      at = (legend_pixels - 12.0 - (k - 1) * 22) / height
      set label 200 + k word(names, order[k]) at screen 30.0 / width, screen at
      set label 300 + k "" at screen 17.0 / width, screen at point pointtype shape(order[k]) pointsize 0.8 \
        linecolor rgb colour(order[k])
    }
  } else {
    set xlabel ARG5
    set key at screen 1 - (right - 20.0) / width, screen 1 - top / (1.0 * height) left top Left reverse samplen 1.5 \
      spacing 1.35 noautotitle
  }

  # The axis begins at zero. If values differ more than a hundredfold, it is logarithmic above the least of them and
  # linear below it, so that zero has its place.
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
  is_of(i) = ('"' . word(names, i) . '"') eq name(0)
  value_of(i) = is_of(i) ? y(0) : NaN
  x_of(i) = beside(x(0), i)
  low_y(_) = column(measure . "_low") / divisor
  high_y(_) = column(measure . "_high") / divisor
  plot for [i = 1:has_ranges ? count : 0] sweep using (x_of(i)):(value_of(i)) with points pointtype shape(i) pointsize 0.35 \
      linecolor rgb "#70" . substr(colour(i), 2, 7), \
    for [i = 1:has_ranges ? count : 0] ranges using (x_of(i)):(value_of(i)):(low_y(0)):(high_y(0)) with yerrorbars \
      pointtype 0 linewidth 1.2 linecolor rgb colour(i), \
    for [i = 1:count] ranges using (x_of(i)):(value_of(i)) smooth unique with lines linewidth 1.6 linecolor rgb colour(i), \
    for [i = 1:count] ranges using (x_of(i)):(value_of(i)) with points pointtype shape(i) pointsize 0.8 \
      linecolor rgb colour(i), \
    for [k = 1:count] keyentry with linespoints linewidth 1.6 pointtype shape(order[k]) pointsize 0.8 \
      linecolor rgb colour(order[k]) title word(names, order[k])
}
