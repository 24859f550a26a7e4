# Where the main thread's time went in the first trial: one stacked bar a topology.
#
#   gnuplot -c plots/main-queue.gp RESULTS OUT [svg|png]     writes OUT/main-queue.svg
#
# reads: trials.csv

if (ARGC < 2 || ARGC > 3) { printerr "usage: gnuplot -c plots/main-queue.gp RESULTS OUT [svg|png]"; exit status 64 }
format_name = ARGC > 2 ? ARG3 : "svg"
# The parts of a total add up within one trial only: the first of each topology. They are the first rows.
trials = ARG1 . "/trials.csv"

set datafile separator comma
set datafile columnheaders

# The topologies, in the order of the trials, and the longest window. A CSV's text can be had by plotting it into a
# table only.
name(_) = strcol("topology") . (strlen(strcol("variant")) ? "/" . strcol("variant") : "")
larger(a, b) = a > b ? a : b
names = ""
longest_name = 0
longest = 0
set xrange [-1:1]
set yrange [-1:1]
set table $unused
isFirst(_) = column("trial") == 1
plot trials using (names = isFirst(0) ? names . " " . name(0) : names, \
    longest_name = larger(longest_name, strlen(name(0))), \
    longest = isFirst(0) ? larger(longest, column("window_ns") / 1e9) : longest, 0):(0)
unset table
set autoscale
count = words(names)
if (count == 0) { printerr trials . ": no rows"; exit status 1 }

# The parts in the order in which they are stacked: column, colour, words. What the import does comes first, then what
# keeps the screens up to date, the user, waiting, the rest, and the frames themselves. Okabe and Ito's colours; a
# lighter shade of one stands for its next of kin.
parts = "main_decode_ns main_import_ns main_fetch_ns main_fault_ns main_push_ns main_save_ns main_controller_ns " . \
  "main_merge_ns main_reset_ns main_edit_ns main_wait_ns main_other_ns frame_busy_ns"
colours = "#f7d694 #e69f00 #56b4e9 #b8e0f7 #009e73 #d55e00 #f0e442 #0072b2 #cc79a7 #ecc9dd #000000 #999999 #e0e0e0"
titles = "decode import fetch fault push save controller merge reset edit wait other frames"
part_count = words(parts)
seconds(part) = column(word(parts, part)) > 0 ? column(word(parts, part)) / 1e9 : 0
upto(last) = sum [part = 1:last] seconds(part)

width = 1200
left = 45 + 8.5 * longest_name; right = 40; top = 150; bottom = 75
height = top + bottom + count * 62

if (format_name eq "png") {
  set terminal pngcairo size 2 * width, 2 * height noenhanced font "Helvetica,12" fontscale 2 linewidth 2 pointscale 2 \
    background rgb "white"
} else {
  set terminal svg size width, height noenhanced font "Helvetica,15" background rgb "white"
}
title_font = format_name eq "png" ? "Helvetica,17" : "Helvetica,22"
set output ARG2 . "/main-queue." . format_name

set lmargin at screen left / (1.0 * width)
set rmargin at screen 1 - right / (1.0 * width)
set bmargin at screen bottom / (1.0 * height)
set tmargin at screen 1 - top / (1.0 * height)

set label 1 "Where the main thread's time went" at screen 24.0 / width, screen 1 - 30.0 / height font title_font
set label 2 "time from the first payload's arrival until all is shown and durable; an empty outline is idle time; trial 1 of each stack" \
  at screen 24.0 / width, screen 1 - 56.0 / height textcolor rgb "#555555"
set key at screen 24.0 / width, screen 1 - 74.0 / height left top horizontal Left reverse width 1.5 samplen 1.5 \
  maxrows 2 noautotitle

set xrange [0:longest * 1.02]
set yrange [count + 0.5:0.5]
set border 1 linecolor rgb "#666666"
set grid xtics linecolor rgb "#e4e4e4" linetype 1
set xtics nomirror textcolor rgb "#333333"
set xlabel "main thread time (s)"
unset ytics
do for [i = 1:count] {
  set label 10 + i word(names, i) at screen (left - 12.0) / width, first i right
}

bar = 0.34
set style fill solid 1 border rgb "#ffffff"
plot for [part = 1:part_count] trials every ::0::(count - 1) \
    using (upto(part)):($0 + 1):(upto(part - 1)):(upto(part)):($0 + 1 - bar):($0 + 1 + bar) \
    with boxxyerror linecolor rgb word(colours, part) notitle, \
  trials every ::0::(count - 1) using (column("window_ns") / 1e9):($0 + 1):(0):(column("window_ns") / 1e9):($0 + 1 - bar):($0 + 1 + bar) \
    with boxxyerror fillstyle empty border rgb "#666666" linecolor rgb "#666666" notitle, \
  for [part = 1:part_count] keyentry with boxes linecolor rgb word(colours, part) title word(titles, part), \
  keyentry with boxes fillstyle empty border rgb "#666666" linecolor rgb "#666666" title "idle"
