# Frame lateness over time: one panel a topology, the best first, one y axis for all.
#
#   gnuplot -c plots/lateness.gp RESULTS OUT [svg|png|phone [DATE]]     writes OUT/lateness.svg
#
# reads: summary.csv frames.csv
#
# A mark is one tick: how long after it the first frame started. Where a panel has less room than ticks, a mark is the
# latest of a few ticks that follow each other. Times are those of each median trial.

if (ARGC < 2 || ARGC > 4) { printerr "usage: gnuplot -c plots/lateness.gp RESULTS OUT [svg|png|phone [DATE]]"; exit status 64 }
frames = ARG1 . "/frames.csv"
summary = ARG1 . "/summary.csv"
format_name = ARGC > 2 ? ARG3 : "svg"
chart_date = ARG4
results = ARG1
load ARG0[1:strlen(ARG0) - strlen("lateness.gp")] . "common/common.gp"

eval read_stacks
if (count == 0) { printerr summary . ": no rows"; exit status 1 }
array order[count]
eval rank_stacks

# Shared ranges. The scale is logarithmic, since what matters spans from under a millisecond to over a second; what lies
# below a tenth of a millisecond is drawn there.
lowest = 0.1
stats frames using (column("due_ns") / 1e9):(column("lateness_ns") / 1e6) nooutput
last_second = STATS_max_x
highest = 10 ** ceil(log10(STATS_max_y * 1.05))
if (highest < 1000) { highest = 1000 }
stats frames using (column("tick")) nooutput
first_tick = STATS_min
tick_count = STATS_max - STATS_min + 1

columns = is_phone ? 1 : count < 3 ? 1 : count < 9 ? 2 : 3
rows = (count + columns - 1) / columns

# The latest tick of each group of `group` ticks, one for frames that were posted and one for missed ticks.
room = is_phone ? 120 : columns == 1 ? 500 : 240
group = larger(1, int(ceil(1.0 * tick_count / room)))
group_count = int(ceil(1.0 * tick_count / group))
mark_count = count * group_count
array posted_x[mark_count]
array posted_y[mark_count]
array missed_x[mark_count]
array missed_y[mark_count]
do for [m = 1:mark_count] { posted_y[m] = 0; missed_y[m] = 0 }
late_ms(_) = larger(lowest, column("lateness_ns") / 1e6)
keep_posted(m, x, y) = y > posted_y[m] ? (posted_x[m] = x, posted_y[m] = y, 0) : 0
keep_missed(m, x, y) = y > missed_y[m] ? (missed_x[m] = x, missed_y[m] = y, 0) : 0
# The place of a row's mark, by its stack and then by its group.
mark_of(i) = (i - 1) * group_count + int((column("tick") - first_tick) / group) + 1
collect(i) = i == 0 ? 0 : column("posted") == 1 ? \
  keep_posted(mark_of(i), column("due_ns") / 1e9, late_ms(0)) : \
  keep_missed(mark_of(i), column("due_ns") / 1e9, late_ms(0))
set xrange [-1:1]
set yrange [-1:1]
set table $unused
plot frames using (collect(place_of(name(0)))):(0)
unset table
set autoscale

chart_title = "Frame lateness over time"
chart_note = "time from each tick to the start of the first frame at or after it" . \
  (group > 1 ? sprintf("; a mark is the latest frame of %d ticks", group) : "; a mark is a tick") . \
  "; dashed: 250 ms, where a hang begins; the axis begins at 0.1 ms, where smaller values are drawn; " . \
  shown_trial
chart_subject = subject

# Pixels: margins around all panels, gaps between them.
left = is_phone ? 84 : 95; right = is_phone ? 12 : 30; bottom = is_phone ? 55 : 75; gap_x = 25; gap_y = 42
top = head_pixels(chart_note, chart_subject) + 78
panel_width = (width - left - right - (columns - 1) * gap_x) / (1.0 * columns)
natural_height = rows * (is_phone ? 130 : rows == 1 ? 330 : 190) + (rows - 1) * gap_y
least_height = rows * 80 + (rows - 1) * gap_y
eval fit_height
panel_height = (plot_height - (rows - 1) * gap_y) / (1.0 * rows)
mark_width = last_second * 2 / panel_width

eval set_terminal
set output ARG2 . "/lateness" . suffix
set multiplot
eval set_axes

set logscale y
set xrange [0:last_second]
set yrange [lowest:highest]
set grid ytics linecolor rgb "#e4e4e4" linetype 1
set mytics 1
if (is_phone && last_second > 0) { set xtics 0, tic_step(last_second) }

# The labels that all panels share are drawn once.
eval set_head
set label 3 "frame lateness (ms)" at screen (is_phone ? 10.0 : 24.0) / width, screen 0.5 rotate by 90 center
set label 4 "time since the first payload arrived (s)" at screen 0.5, screen 16.0 / height center

do for [k = 1:count] {
  i = order[k]
  wanted = word(names, i)
  column_index = (k - 1) % columns
  row_index = (k - 1) / columns
  x0 = left + column_index * (panel_width + gap_x)
  y0 = height - top - row_index * (panel_height + gap_y) - panel_height
  set lmargin at screen x0 / (1.0 * width)
  set rmargin at screen (x0 + panel_width) / (1.0 * width)
  set bmargin at screen y0 / (1.0 * height)
  set tmargin at screen (y0 + panel_height) / (1.0 * height)
  set label 6 wanted at graph 0, graph 1 offset 0, 0.7 left font panel_font
  # Axis numbers at the outside only: left column, and the last panel of each column.
  if (column_index == 0) { set format y "%g" } else { set format y "" }
  if (k + columns > count) { set format x "%g" } else { set format x "" }
  if (column_index > 0) {
    set ytics ("" 0.1, "" 1, "" 10, "" 100, "" 1000, "" 10000, "" 100000)
  } else {
    set ytics ("≤ 0.1" 0.1, "1" 1, "10" 10, "100" 100, "1,000" 1000, "10,000" 10000, "100,000" 100000)
  }
  set arrow 1 from graph 0, first 250 to graph 1, first 250 nohead dashtype 2 linecolor rgb "#999999"
  if (k == 1) {
    set key at screen left / (1.0 * width), screen 1 - (top - 72.0) / height left top Left reverse samplen 1
  } else {
    unset key
  }
  # A short stroke takes a quarter of the bytes of a symbol. A missed tick has another shape, too.
  set samples larger(2, group_count)
  place(g) = (i - 1) * group_count + larger(1, smaller(group_count, int(g + 0.5)))
  mark(y, g) = y > 0 && int(g + 0.5) <= group_count ? y : NaN
  plot sample [g = 1:larger(2, group_count)] "+" using (posted_x[place(g)]):(mark(posted_y[place(g)], g)):(mark_width):(0) \
      with vectors nohead linewidth (is_phone ? 1.6 : 2) linecolor rgb "#0072b2" notitle, \
    [g = 1:larger(2, group_count)] "+" using (missed_x[place(g)]):(mark(missed_y[place(g)], g)) \
      with points pointtype 2 pointsize (is_phone ? 0.4 : 0.6) linecolor rgb "#d55e00" notitle, \
    keyentry with points pointtype 5 pointsize 0.6 linecolor rgb "#0072b2" title "tick that posted a frame", \
    keyentry with points pointtype 2 pointsize 0.9 linecolor rgb "#d55e00" title "missed tick"
  unset label 1; unset label 2; unset label 3; unset label 4
}
unset multiplot
