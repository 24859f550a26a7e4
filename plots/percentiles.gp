# How late frames start, by percentile: a line a topology, one y axis for all.
#
#   gnuplot -c plots/percentiles.gp RESULTS OUT [svg|png]     writes OUT/percentiles.svg
#
# reads: summary.csv frames.csv
#
# The horizontal axis is drawn by log(1 / (1 - p)), so that each nine has as much room as the one before: what matters
# lies at the end. A line is exact, by nearest rank, and ends where its ticks do: of 100 ticks no 99.9th percentile can be
# had. Names stand in a column at the right, in the order of the lines' ends and never closer than a line.

if (ARGC < 2 || ARGC > 3) { printerr "usage: gnuplot -c plots/percentiles.gp RESULTS OUT [svg|png]"; exit status 64 }
frames = ARG1 . "/frames.csv"
summary = ARG1 . "/summary.csv"
format_name = ARGC > 2 ? ARG3 : "svg"

set datafile separator comma
set datafile columnheaders

# The topologies, in the order of the summary. A CSV's text can be had by plotting it into a table only. A name stands in
# quotes, which word() honours.
name(_) = strcol("topology") . (strlen(strcol("variant")) ? "/" . strcol("variant") : "")
larger(a, b) = a > b ? a : b
smaller(a, b) = a < b ? a : b
names = ""; longest_name = 0
set xrange [-1:1]
set yrange [-1:1]
set table $unused
plot summary using (names = names . ' "' . name(0) . '"', longest_name = larger(longest_name, strlen(name(0))), 0):(0)
unset table
count = words(names)
if (count == 0) { printerr summary . ": no rows"; exit status 1 }

# The lines as steps: the i-th of n latenesses holds from the share (i - 1) / n on. What lies below a tenth of a
# millisecond is drawn there, and nothing beyond the 99.9th percentile.
lowest = 0.1
end_of_axis = 3.0
axis_of(share) = -log10(1 - share)
late_of(wanted) = name(0) eq wanted ? column("lateness_ns") / 1e6 : NaN
array end_x[count]
array end_y[count]
last_x = 1.0
highest = 0
# Nothing is left to what the values span, which may be nothing.
set xrange [-1:1e12]
set yrange [-1:1e12]
set print $curves
do for [i = 1:count] {
  print "share,lateness"
  end_x[i] = 0
  end_y[i] = lowest
  set table $ranked
  plot frames using (late_of(word(names, i))):(1) smooth cumulative
  unset table
  # Every line of values is "lateness count flag", and counts run on.
  total = 0
  do for [k = 1:|$ranked|] {
    if (words($ranked[k]) == 3 && word($ranked[k], 3) eq "i") { total = word($ranked[k], 2) + 0 }
  }
  before = 0
  do for [k = 1:|$ranked|] {
    if (words($ranked[k]) == 3 && word($ranked[k], 3) eq "i") {
      x = axis_of(before / (1.0 * total))
      y = larger(lowest, word($ranked[k], 1) + 0.0)
      if (x <= end_of_axis) {
        print sprintf("%.6f,%.6f", x, y)
        end_x[i] = x
        end_y[i] = y
      }
      before = word($ranked[k], 2) + 0
    }
  }
  # The largest goes on to where its share would end, were it not at infinity.
  if (total > 0) {
    end_x[i] = smaller(end_of_axis, larger(end_x[i], log10(2.0 * total)))
    print sprintf("%.6f,%.6f", end_x[i], end_y[i])
    last_x = larger(last_x, end_x[i])
    highest = larger(highest, end_y[i])
  }
  print ""
  print ""
}
unset print
if (highest == 0) { printerr frames . ": no rows"; exit status 1 }
first_x = axis_of(0.5)
top_decade = larger(2, ceil(log10(highest * 1.05)))
last_y = 10.0 ** top_decade
graph_y(y) = log(y / lowest) / log(last_y / lowest)

width = 1200
left = 115; right = 90 + 8 * longest_name; top = 95; bottom = 75
plot_height = larger(480, count * 30)
height = top + bottom + plot_height

# Places of the names, as parts of the plot's height: sorted by line, then pushed apart upwards and, from the top, back.
array place[count]
array order[count]
do for [i = 1:count] {
  place[i] = graph_y(end_y[i])
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

# Okabe and Ito's colours, a shape and a dash besides: one more of these than colours, so that pairs repeat late.
colours = "#0072b2 #d55e00 #009e73 #cc79a7 #e69f00 #56b4e9 #000000"
shapes = "7 5 9 11 13 15 4 6"
set style line 1 dashtype solid
set style line 2 dashtype (14, 6)
set style line 3 dashtype (4, 4)
set style line 4 dashtype (14, 5, 3, 5)
set style line 5 dashtype (8, 4)
set style line 6 dashtype (20, 5, 3, 5, 3, 5)
set style line 7 dashtype (2, 3)
set style line 8 dashtype (24, 8)
dash(i) = (i - 1) % 8 + 1
colour(i) = word(colours, (i - 1) % words(colours) + 1)
shape(i) = int(word(shapes, (i - 1) % words(shapes) + 1))

if (format_name eq "png") {
  set terminal pngcairo size 2 * width, 2 * height noenhanced font "Helvetica,12" fontscale 2 linewidth 2 pointscale 2 \
    background rgb "white"
} else {
  set terminal svg size width, height noenhanced font "Helvetica,15" background rgb "white"
}
title_font = format_name eq "png" ? "Helvetica,17" : "Helvetica,22"
set output ARG2 . "/percentiles." . format_name
set lmargin at screen left / (1.0 * width)
set rmargin at screen 1 - right / (1.0 * width)
set bmargin at screen bottom / (1.0 * height)
set tmargin at screen 1 - top / (1.0 * height)

set label 1 "How late frames start, by percentile" at screen 24.0 / width, screen 1 - 30.0 / height font title_font
set label 2 "so many of 100 ticks wait no longer for a frame; lower is smoother; a mark is the latest, or the 99.9th percentile" \
  at screen 24.0 / width, screen 1 - 56.0 / height textcolor rgb "#555555"
set label 3 "lateness (ms)" at screen 24.0 / width, screen (bottom + plot_height / 2.0) / height rotate by 90 center
set xlabel "percentile of ticks"
set border 3 linecolor rgb "#666666"
set grid xtics ytics linecolor rgb "#e4e4e4" linetype 1
set tics nomirror textcolor rgb "#333333"
set logscale y
set mytics 1
unset key
set xrange [first_x:last_x]
set yrange [lowest:last_y * 1.01]
set xtics ()
do for [percentile in "50 75 90 95 98 99 99.5 99.8 99.9"] {
  at = axis_of(percentile / 100.0)
  if (at <= last_x + 0.001) { set xtics add (percentile at) }
}
grouped(n) = n < 1000 ? sprintf("%g", n) : sprintf("%d,%03d", int(n) / 1000, int(n) % 1000)
set ytics ()
do for [decade = -1:top_decade] { set ytics add (grouped(10.0 ** decade) 10.0 ** decade) }
if (last_y > 250) {
  set arrow 1 from graph 0, first 250 to graph 1, first 250 nohead dashtype (3, 3) linecolor rgb "#999999"
  set label 4 "250 ms: a hang" at graph 0.01, first 250 offset 0, 0.6 left textcolor rgb "#555555"
}

do for [i = 1:count] {
  if (end_x[i] > 0) {
    set arrow 100 + i from first end_x[i], first end_y[i] to graph 1.02, graph place[i] nohead back \
      linecolor rgb "#bbbbbb" linewidth 0.7
  }
  set label 200 + i word(names, i) . (end_x[i] > 0 ? "" : ": no ticks") at graph 1.075, graph place[i] left
  set arrow 300 + i from graph 1.022, graph place[i] to graph 1.068, graph place[i] nohead linestyle dash(i) \
    linewidth 2 linecolor rgb colour(i)
  set label 400 + i "" at graph 1.045, graph place[i] point pointtype shape(i) pointsize 0.8 linecolor rgb colour(i)
}

plot for [i = 1:count] $curves index i - 1 using 1:2 with steps linestyle dash(i) linewidth 2 \
    linecolor rgb colour(i) title word(names, i), \
  for [i = 1:count] "+" using (end_x[i] > 0 ? end_x[i] : NaN):(end_y[i]) every ::0::0 \
    with points pointtype shape(i) pointsize 1.3 linecolor rgb colour(i) title word(names, i)
