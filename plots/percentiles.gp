# The lateness of frames by percentile: a line a topology, one y axis for all.
#
#   gnuplot -c plots/percentiles.gp RESULTS OUT [svg|png|phone [DATE]]     writes OUT/percentiles.svg
#
# reads: summary.csv frames.csv
#
# The horizontal axis is drawn by log(1 / (1 - p)), so that each nine has as much room as the one before: what matters
# lies at the end. A line is exact, by nearest rank, and ends where its ticks do: of 100 ticks no 99.9th percentile can
# be had. Names are in a column at the right, in the order of the lines' ends and never closer than a line; on a phone
# they are below, the best first.

if (ARGC < 2 || ARGC > 4) { printerr "usage: gnuplot -c plots/percentiles.gp RESULTS OUT [svg|png|phone [DATE]]"; exit status 64 }
frames = ARG1 . "/frames.csv"
summary = ARG1 . "/summary.csv"
format_name = ARGC > 2 ? ARG3 : "svg"
chart_date = ARG4
results = ARG1
load ARG0[1:strlen(ARG0) - strlen("percentiles.gp")] . "common/common.gp"

eval read_stacks
if (count == 0) { printerr summary . ": no rows"; exit status 1 }
array order[count]
eval rank_stacks
eval number_stacks

# The lines as steps: the i-th of n latenesses holds from the share (i - 1) / n on. A lateness below a tenth of a
# millisecond is drawn there, and no lateness beyond the 99.9th percentile is drawn.
lowest = 0.1
first_share = 0.5
end_of_axis = 3.0
axis_of(share) = -log10(1 - share)
# A step that is smaller than half a pixel either way is not drawn.
least_x = is_phone ? 0.008 : 0.002
least_y = is_phone ? 0.008 : 0.004
is_seen(x, y) = drawn_x < 0 || x - drawn_x > least_x || log10(y / drawn_y) > least_y
step(late, upto) = (x = before < total ? axis_of(before / total) : 1e9, y = larger(lowest, late), before = upto, \
  x > end_of_axis ? NaN : (step_x = x, step_y = y, is_seen(x, y) ? (drawn_x = x, drawn_y = y, x) : NaN))
array end_x[count]
array end_y[count]
last_x = 1.0
highest = 0
# The rows of each stack, which follow each other.
array first_row[count]
array last_row[count]
do for [i = 1:count] { first_row[i] = -1; last_row[i] = -2 }
note_row(i) = i > 0 ? (first_row[i] = first_row[i] < 0 ? $0 : first_row[i], last_row[i] = $0, 0) : 0
set xrange [-1:1]
set yrange [-1:1]
set table $unused
plot frames using (note_row(place_of(name(0)))):(0)
unset table
# The ranges are fixed, because the values may be too few to determine them.
set xrange [-1:1e12]
set yrange [-1:1e12]
do for [i = 1:count] {
  end_x[i] = 0
  end_y[i] = lowest
  undefine $ranked
  set table $ranked
  if (first_row[i] >= 0) {
    plot frames every ::int(first_row[i])::int(last_row[i]) using (column("lateness_ns") / 1e6):(1) smooth cumulative
  }
  unset table
  # Every line of values is "lateness count flag", and counts run on.
  unset datafile columnheaders
  set datafile separator whitespace
  total = 0.0
  before = 0.0
  step_x = 0.0
  step_y = lowest
  drawn_x = -1.0
  drawn_y = lowest
  set table $unused
  if (first_row[i] >= 0) { plot $ranked using (total = larger(total, $2), 0):(0) }
  unset table
  set table $steps
  if (total > 0) { plot $ranked using (step($1, $2)):(y) }
  unset table
  set print $curves append
  print "share,lateness"
  if (total > 0) {
    do for [k = 1:|$steps|] {
      if (words($steps[k]) == 3 && word($steps[k], 3) eq "i") { print word($steps[k], 1) . "," . word($steps[k], 2) }
    }
    # The line of the largest lateness ends at log10(2 n), because the end of its share is at infinity.
    end_x[i] = smaller(end_of_axis, larger(step_x, log10(2.0 * total)))
    end_y[i] = step_y
    print sprintf("%.6f,%.6f", end_x[i], end_y[i])
    last_x = larger(last_x, end_x[i])
    highest = larger(highest, end_y[i])
  }
  print ""
  print ""
  unset print
  set datafile separator comma
  set datafile columnheaders
}
if (highest == 0) { printerr frames . ": no rows"; exit status 1 }
first_x = axis_of(first_share)
top_decade = larger(2, ceil(log10(highest * 1.05)))
last_y = 10.0 ** top_decade
graph_y(y) = log(y / lowest) / log(last_y / lowest)

chart_title = "Frame lateness by percentile"
chart_note = "a line shows the lateness that a percentage of ticks does not exceed; lower is smoother; a mark is the maximum or the " . \
  "99.9th percentile; the axes begin at the 50th percentile and at 0.1 ms, where smaller values are drawn; " . shown_trial
chart_subject = subject
left = is_phone ? 84 : 115; right = is_phone ? 28 : 90 + 8 * longest_name
top = head_pixels(chart_note, chart_subject) + (is_phone ? 14 : 16)
bottom = is_phone ? 76 + count * 22 : 75
natural_height = is_phone ? 300 : larger(480, count * 30)
least_height = larger(160, count * 26)
eval fit_height

# Places of the names, as parts of the plot's height: sorted by line, then pushed apart upwards and, from the top, back.
array place[count]
array ends[count]
do for [i = 1:count] {
  place[i] = graph_y(end_y[i])
  ends[i] = i
}
do for [i = 1:count] {
  do for [j = 1:count - i] {
    if (place[ends[j]] > place[ends[j + 1]]) { swap = ends[j]; ends[j] = ends[j + 1]; ends[j + 1] = swap }
  }
}
line_height = 26.0 / plot_height
do for [i = 2:count] {
  place[ends[i]] = larger(place[ends[i]], place[ends[i - 1]] + line_height)
}
ceiling = 1 - line_height / 2
do for [i = 1:count] {
  j = count + 1 - i
  place[ends[j]] = smaller(place[ends[j]], ceiling)
  ceiling = place[ends[j]] - line_height
}

# The lines have as many dash types as there are shapes, in addition to their colours and shapes.
set style line 1 dashtype solid
set style line 2 dashtype (14, 6)
set style line 3 dashtype (4, 4)
set style line 4 dashtype (14, 5, 3, 5)
set style line 5 dashtype (8, 4)
set style line 6 dashtype (20, 5, 3, 5, 3, 5)
set style line 7 dashtype (2, 3)
set style line 8 dashtype (24, 8)
dash(i) = (i - 1) % 8 + 1

eval set_terminal
set output ARG2 . "/percentiles" . suffix
eval set_margins
eval set_head
eval set_axes
set label 3 "frame lateness (ms)" at screen (is_phone ? 10.0 : 24.0) / width, screen (bottom + plot_height / 2.0) / height \
  rotate by 90 center
if (is_phone) {
  set label 5 "percentile of ticks" at graph 0.5, graph 0 offset 0, -2.6 center
} else {
  set xlabel "percentile of ticks"
}
set grid xtics ytics linecolor rgb "#e4e4e4" linetype 1
set logscale y
set mytics 1
unset key
set xrange [first_x:last_x]
set yrange [lowest:last_y * 1.01]
set xtics ()
do for [percentile in is_phone ? "50 90 99 99.9" : "50 75 90 95 98 99 99.5 99.8 99.9"] {
  at = axis_of(percentile / 100.0)
  if (at <= last_x + 0.001) { set xtics add (percentile at) }
}
set ytics ("≤ 0.1" lowest)
do for [decade = 0:top_decade] { set ytics add (grouped(10.0 ** decade) 10.0 ** decade) }
hang_align = is_phone ? "right" : "left"
if (last_y > 250) {
  set arrow 1 from graph 0, first 250 to graph 1, first 250 nohead dashtype (3, 3) linecolor rgb "#999999"
  set label 4 "250 ms: a hang" at graph (is_phone ? 0.99 : 0.01), first 250 offset 0, (is_phone ? -0.6 : 0.6) \
    @hang_align textcolor rgb "#555555"
}

do for [k = 1:count] {
  i = order[k]
  label = word(names, i) . (end_x[i] > 0 ? "" : ": no ticks")
  if (is_phone) {
    at = (bottom - 80.0 - (k - 1) * 22) / height
    set label 200 + i label at screen 56.0 / width, screen at left
    set arrow 300 + i from screen 10.0 / width, screen at to screen 48.0 / width, screen at nohead linestyle dash(i) \
      linewidth 2 linecolor rgb colour(i)
    set label 400 + i "" at screen 29.0 / width, screen at point pointtype shape(i) pointsize 0.8 linecolor rgb colour(i)
  } else {
    if (end_x[i] > 0) {
      set arrow 100 + i from first end_x[i], first end_y[i] to graph 1.02, graph place[i] nohead back \
        linecolor rgb "#bbbbbb" linewidth 0.7
    }
    set label 200 + i label at graph 1.075, graph place[i] left
    set arrow 300 + i from graph 1.022, graph place[i] to graph 1.068, graph place[i] nohead linestyle dash(i) \
      linewidth 2 linecolor rgb colour(i)
    set label 400 + i "" at graph 1.045, graph place[i] point pointtype shape(i) pointsize 0.8 linecolor rgb colour(i)
  }
}

plot for [i = 1:count] $curves index i - 1 using 1:2 with steps linestyle dash(i) linewidth 2 \
    linecolor rgb colour(i) title word(names, i), \
  for [i = 1:count] "+" using (end_x[i] > 0 ? end_x[i] : NaN):(end_y[i]) every ::0::0 \
    with points pointtype shape(i) pointsize (is_phone ? 1 : 1.3) linecolor rgb colour(i) title word(names, i)
