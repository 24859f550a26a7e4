# Frame lateness over time: one panel a topology, one y axis for all.
#
#   gnuplot -c plots/lateness.gp RESULTS OUT [svg|png]     writes OUT/lateness.svg
#
# reads: summary.csv frames.csv
#
# A mark is one tick: how long after it the first frame started. Times are those of each median trial.

if (ARGC < 2 || ARGC > 3) { printerr "usage: gnuplot -c plots/lateness.gp RESULTS OUT [svg|png]"; exit status 64 }
format_name = ARGC > 2 ? ARG3 : "svg"
frames = ARG1 . "/frames.csv"
summary = ARG1 . "/summary.csv"

set datafile separator comma
set datafile columnheaders

# The topologies, in the order of the summary. A CSV's text can be had by plotting it into a table only.
name(_) = strcol("topology") . (strlen(strcol("variant")) ? "/" . strcol("variant") : "")
names = ""
set xrange [-1:1]
set yrange [-1:1]
set table $unused
plot summary using (names = names . " " . name(0), 0):(0)
unset table
set autoscale
count = words(names)
if (count == 0) { printerr summary . ": no rows"; exit status 1 }

# Shared ranges. The scale is logarithmic, since what matters spans from under a millisecond to over a second; what lies
# below a tenth of a millisecond is drawn there.
lowest = 0.1
stats frames using (column("due_ns") / 1e9):(column("lateness_ns") / 1e6) nooutput
last_second = STATS_max_x
highest = 10 ** ceil(log10(STATS_max_y * 1.05))
if (highest < 1000) { highest = 1000 }
late_ms(_) = column("lateness_ns") / 1e6 > lowest ? column("lateness_ns") / 1e6 : lowest
# NaN where the row is of another topology or another kind of tick.
late_of(wanted, posted) = (name(0) eq wanted && column("posted") == posted) ? late_ms(0) : NaN

columns = count < 3 ? 1 : count < 9 ? 2 : 3
rows = (count + columns - 1) / columns
# Pixels: margins around all panels, gaps between them.
width = 1200
left = 95; right = 30; top = 110; bottom = 75; gap_x = 25; gap_y = 42
panel_width = (width - left - right - (columns - 1) * gap_x) / (1.0 * columns)
panel_height = rows == 1 ? 330 : 190
height = top + bottom + rows * panel_height + (rows - 1) * gap_y

if (format_name eq "png") {
  set terminal pngcairo size 2 * width, 2 * height noenhanced font "Helvetica,12" fontscale 2 linewidth 2 pointscale 2 \
    background rgb "white"
} else {
  set terminal svg size width, height noenhanced font "Helvetica,15" background rgb "white"
}
title_font = format_name eq "png" ? "Helvetica,17" : "Helvetica,22"
panel_font = format_name eq "png" ? "Helvetica,13" : "Helvetica,16"
set output ARG2 . "/lateness." . format_name
set multiplot

set logscale y
set xrange [0:last_second]
set yrange [lowest:highest]
set border 3 linecolor rgb "#666666"
set grid ytics linecolor rgb "#e4e4e4" linetype 1
set tics nomirror textcolor rgb "#333333"
set ytics ("0.1" 0.1, "1" 1, "10" 10, "100" 100, "1,000" 1000, "10,000" 10000, "100,000" 100000)
set mytics 1

# What concerns all panels, once.
set label 1 "How late frames start" at screen left / (1.0 * width), screen 1 - 30.0 / height font title_font
set label 2 "time from each tick to the start of the first frame at or after it; dashed: 250 ms, where a hang begins; one trial of each stack" \
  at screen left / (1.0 * width), screen 1 - 56.0 / height textcolor rgb "#555555"
set label 3 "lateness (ms)" at screen 24.0 / width, screen 0.5 rotate by 90 center
set label 4 "time since the first payload arrived (s)" at screen 0.5, screen 20.0 / height center

do for [i = 1:count] {
  wanted = word(names, i)
  column_index = (i - 1) % columns
  row_index = (i - 1) / columns
  x0 = left + column_index * (panel_width + gap_x)
  y0 = height - top - row_index * (panel_height + gap_y) - panel_height
  set lmargin at screen x0 / (1.0 * width)
  set rmargin at screen (x0 + panel_width) / (1.0 * width)
  set bmargin at screen y0 / (1.0 * height)
  set tmargin at screen (y0 + panel_height) / (1.0 * height)
  set label 6 wanted at graph 0, graph 1 offset 0, 0.7 left font panel_font
  # Axis numbers at the outside only: left column, and the last panel of each column.
  if (column_index == 0) { set format y "%g" } else { set format y "" }
  if (i + columns > count) { set format x "%g" } else { set format x "" }
  if (column_index > 0) {
    set ytics ("" 0.1, "" 1, "" 10, "" 100, "" 1000, "" 10000, "" 100000)
  } else {
    set ytics ("0.1" 0.1, "1" 1, "10" 10, "100" 100, "1,000" 1000, "10,000" 10000, "100,000" 100000)
  }
  set arrow 1 from graph 0, first 250 to graph 1, first 250 nohead dashtype 2 linecolor rgb "#999999"
  if (i == 1) {
    set key at screen 1 - right / (1.0 * width), screen 1 - 20.0 / height right top samplen 1
  } else {
    unset key
  }
  # Shapes that an SVG draws in one piece: of a filled circle, which is a reference to a reference, some viewers show
  # nothing. A missed tick is told by its shape, too.
  plot frames using (column("due_ns") / 1e9):(late_of(wanted, 1)) with points pointtype 5 pointsize 0.25 \
      linecolor rgb "#0072b2" notitle, \
    "" using (column("due_ns") / 1e9):(late_of(wanted, 0)) with points pointtype 2 pointsize 0.6 \
      linecolor rgb "#d55e00" notitle, \
    keyentry with points pointtype 5 pointsize 0.6 linecolor rgb "#0072b2" title "tick that posted a frame", \
    keyentry with points pointtype 2 pointsize 0.9 linecolor rgb "#d55e00" title "missed tick"
  unset label 1; unset label 2; unset label 3; unset label 4
}
unset multiplot
