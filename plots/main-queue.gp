# The main thread's time by cause in the median trial: one stacked bar a topology, the best first.
#
#   gnuplot -c plots/main-queue.gp RESULTS OUT [svg|png|phone [DATE]]     writes OUT/main-queue.svg
#
# reads: summary.csv trials.csv

if (ARGC < 2 || ARGC > 4) { printerr "usage: gnuplot -c plots/main-queue.gp RESULTS OUT [svg|png|phone [DATE]]"; exit status 64 }
format_name = ARGC > 2 ? ARG3 : "svg"
summary = ARG1 . "/summary.csv"
# The parts of a total add up within one trial only: the median one of each topology, whose frames are stored too.
trials = ARG1 . "/trials.csv"
chart_date = ARG4
results = ARG1
load ARG0[1:strlen(ARG0) - strlen("main-queue.gp")] . "common/common.gp"

eval read_stacks
if (count == 0) { printerr summary . ": no rows"; exit status 1 }
array order[count]
eval rank_stacks
array row[count]
do for [i = 1:count] { row[order[i]] = i }
# A bar is drawn in the row of its stack. Other trials have no bar.
bar_row(_) = is_median[int($0) + 1] ? row[trial_place[int($0) + 1]] : NaN

# The median trial of a stack by its hitches, then by its import time and number; the lower one of two.
stats trials using (column("trial")) nooutput
trial_count = STATS_records
if (trial_count == 0) { printerr trials . ": no rows"; exit status 1 }
array trial_place[trial_count]
array trial_hitch[trial_count]
array trial_import[trial_count]
array is_median[trial_count]
known_time(v) = v >= 0 ? v : 1e99
keep_trial(k, place, hitch, import) = (trial_place[k] = place, trial_hitch[k] = hitch, trial_import[k] = import, 0)
set xrange [-1:1]
set yrange [-1:1]
set table $unused
plot trials using (keep_trial(int($0) + 1, place_of(name(0)), known_time(column("hitch_total_ns")), \
  known_time(column("import_ns")))):(0)
unset table
set autoscale
# The trials of a stack are in the order of their numbers.
is_before(j, k) = trial_hitch[j] < trial_hitch[k] || trial_hitch[j] == trial_hitch[k] && \
  (trial_import[j] < trial_import[k] || trial_import[j] == trial_import[k] && j < k)
do for [k = 1:trial_count] {
  own_count = sum [j = 1:trial_count] (trial_place[j] == trial_place[k] ? 1 : 0)
  rank = sum [j = 1:trial_count] (trial_place[j] == trial_place[k] && is_before(j, k) ? 1 : 0)
  is_median[k] = trial_place[k] > 0 && rank == int(own_count - 1) / 2
}

# The longest window.
longest = 0
set xrange [-1:1]
set yrange [-1:1]
set table $unused
plot trials using (longest = is_median[int($0) + 1] ? larger(longest, column("window_ns") / 1e9) : longest, 0):(0)
unset table
set autoscale
if (longest == 0) { printerr trials . ": no rows"; exit status 1 }

# The parts in the order in which they are stacked: column, colour, words. The work of the import comes first, then the
# updates of the screens, the user, waiting, the rest, and the frames themselves. The colours are those of Okabe and
# Ito, and a lighter shade of one is used for a related part.
parts = "main_decode_ns main_import_ns main_fetch_ns main_fault_ns main_push_ns main_save_ns main_controller_ns " . \
  "main_merge_ns main_reset_ns main_edit_ns main_wait_ns main_other_ns frame_busy_ns"
part_colours = "#f7d694 #e69f00 #56b4e9 #b8e0f7 #009e73 #d55e00 #f0e442 #0072b2 #cc79a7 #ecc9dd #000000 #999999 #e0e0e0"
titles = "decode import fetch fault push save controller merge reset edit wait other frames"
part_count = words(parts)
seconds(part) = column(word(parts, part)) > 0 ? column(word(parts, part)) / 1e9 : 0
upto(last) = sum [part = 1:last] seconds(part)

chart_title = "Main thread time by cause"
chart_note = "time from the first payload's arrival until all payloads are shown and durable; main busy is all but frames and idle; " . \
  "an empty outline is idle time; " . shown_trial
chart_subject = subject
# About 200 pixels hold an entry of the key.
key_pixels = is_phone ? 176 : larger(84, 20 * int(ceil((part_count + 1.0) / int(width / 200))) + 24)
left = is_phone ? 12 : 45 + 8.5 * longest_name; right = is_phone ? 14 : 40; bottom = is_phone ? 72 : 75
top = head_pixels(chart_note, chart_subject) + key_pixels
natural_height = count * 62
least_height = count * 24
eval fit_height

eval set_terminal
set output ARG2 . "/main-queue" . suffix
eval set_margins
eval set_head
eval set_axes
set key at screen margin / (1.0 * width), screen 1 - (top - key_pixels + 8.0) / height left top horizontal Left reverse \
  width (is_phone ? -1 : 1.5) samplen (is_phone ? 1 : 1.5) maxrows (is_phone ? 7 : 2) noautotitle

set xrange [0:longest * 1.02]
set yrange [count + 0.5:0.5]
set border 1 linecolor rgb "#666666"
set grid xtics linecolor rgb "#e4e4e4" linetype 1
if (is_phone) { set xtics 0, tic_step(longest) }
set xlabel "main thread time (s)"
unset ytics
do for [i = 1:count] {
  if (is_phone) {
    set label 10 + i word(names, order[i]) at graph 0, first i - 0.36 left
  } else {
    set label 10 + i word(names, order[i]) at screen (left - 12.0) / width, first i right
  }
}

# The name is above the bar on a phone.
above = is_phone ? 0.1 : 0.34
below = 0.34
set style fill solid 1 border rgb "#ffffff"
plot for [part = 1:part_count] trials \
    using (upto(part)):(bar_row(0)):(upto(part - 1)):(upto(part)):(bar_row(0) - above):(bar_row(0) + below) \
    with boxxyerror linecolor rgb word(part_colours, part) notitle, \
  trials using (column("window_ns") / 1e9):(bar_row(0)):(0):(column("window_ns") / 1e9):(bar_row(0) - above):(bar_row(0) + below) \
    with boxxyerror fillstyle empty border rgb "#666666" linecolor rgb "#666666" notitle, \
  for [part = 1:part_count] keyentry with boxes linecolor rgb word(part_colours, part) title word(titles, part), \
  keyentry with boxes fillstyle empty border rgb "#666666" linecolor rgb "#666666" title "idle"
