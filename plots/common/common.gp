# The parts that all charts share: formats, fonts, titles that fit, and the order of the stacks. A chart loads this
# file, sets `width` and `height`, and evaluates the strings below where it needs them.
#
# Formats: svg and png for a wide page, phone (an SVG 360 px wide) for a narrow one. With chart_width and chart_height,
# a chart has that many pixels; otherwise a PNG has twice as many as an SVG, for dense screens.

larger(a, b) = a > b ? a : b
smaller(a, b) = a < b ? a : b
# Digits in groups of three; a space between thousands would be ambiguous, so a comma.
grouped(n) = n < 1000 ? sprintf("%g", n) : n < 1e6 ? sprintf("%d,%03d", int(n) / 1000, int(n) % 1000) : \
  sprintf("%d,%03d,%03d", int(n) / 1000000, int(n) / 1000 % 1000, int(n) % 1000)

# A step between the numbers of an axis that has room for a few.
tic_step(span) = tic_step_of(span, 10.0 ** floor(log10(span)))
tic_step_of(span, decade) = span / decade > 5 ? 2 * decade : span / decade > 2 ? decade : 0.5 * decade

is_phone = format_name eq "phone"
is_png = format_name eq "png"
width = exists("chart_width") ? chart_width : is_phone ? 360 : 1200
margin = is_phone ? 8 : 24
# Pixels of a line of text, and how many characters have room in one.
line_pixels = is_phone ? 21 : 20
line_characters = is_phone ? 47 : width / 8
suffix = is_phone ? "-phone.svg" : "." . format_name

# Lines of a text that are no longer than that, broken at spaces.
last_space(text, at) = at == 0 ? 0 : text[at:at] eq " " ? at : last_space(text, at - 1)
wrapped(text) = strlen(text) <= line_characters ? text : broken(text, last_space(text, line_characters))
broken(text, at) = at == 0 ? text : text[1:at - 1] . "\n" . wrapped(text[at + 1:*])
line_count(text) = strstrt(text, "\n") ? 1 + line_count(text[strstrt(text, "\n") + 1:*]) : 1

# The title, the note below it and the subject (machine, rows and date), and the pixels that they take.
title_pixels = is_phone ? 30 : 42
head_pixels(note, subject) = title_pixels + line_pixels * (line_count(wrapped(note)) + line_count(wrapped(subject)))
set_head = 'set label 1 chart_title at screen margin / (1.0 * width), screen 1 - (is_phone ? 14.0 : 30.0) / height font title_font; ' . \
  'set label 2 wrapped(chart_note) . "\n" . wrapped(chart_subject) at screen margin / (1.0 * width), ' . \
  'screen 1 - (title_pixels + 14.0) / height textcolor rgb "#555555"'

# The height of the plot and of the chart, from the height that the plot has by itself and the least one that is
# legible.
fit_height = 'plot_height = exists("chart_height") ? chart_height - top - bottom : natural_height; ' . \
  'if (plot_height < least_height) { printerr sprintf("the chart needs %d pixels of height at this width", ' . \
  'int(ceil(top + bottom + least_height))); exit status 64 }; height = top + bottom + plot_height'

pixel_scale = exists("chart_width") ? 1 : 2
set_terminal = is_png ? \
  'set terminal pngcairo size pixel_scale * width, pixel_scale * height noenhanced font "Helvetica,12" fontscale pixel_scale linewidth pixel_scale pointscale pixel_scale background rgb "white"' : \
  'set terminal svg size width, height noenhanced font "Helvetica,' . (is_phone ? "14" : "15") . '" background rgb "white"'
title_font = is_png ? "Helvetica,17" : is_phone ? "Helvetica-Bold,16" : "Helvetica,22"
panel_font = is_png ? "Helvetica,13" : is_phone ? "Helvetica,14" : "Helvetica,16"

# The stacks of a summary in its order: names in quotes, which word() honours, and what they are ranked by, hitches and
# then import time, as in the tables. A CSV's text can be had by plotting it into a table only.
name(_) = strcol("topology") . (strlen(strcol("variant")) ? "/" . strcol("variant") : "")
ranked(v) = v >= 0 ? sprintf(" %.9g", v) : " 1e99"
names = ""; longest_name = 0; ranked_hitches = ""; ranked_imports = ""; subject = ""
subject_of(_) = strcol("machine") . (strlen(strcol("profile")) ? " " . strcol("profile") : "") . " machine, " . \
  grouped(column("rows")) . " rows" . (strlen(chart_date) ? ", " . chart_date : "")
read_stacks = 'set xrange [-1:1]; set yrange [-1:1]; set table $unused; ' . \
  'plot summary using (names = names . " \"" . name(0) . "\"", longest_name = larger(longest_name, strlen(name(0))), ' . \
  'ranked_hitches = ranked_hitches . ranked(column("hitch_total_ns")), ' . \
  'ranked_imports = ranked_imports . ranked(column("import_ns")), subject = subject_of(0), 0):(0); ' . \
  'unset table; set autoscale; count = words(names)'

# The place of the stack that a row is of; rows of a stack follow each other, so that it is mostly the last one's.
place_from(wanted, i) = i > count ? 0 : word(names, i) eq wanted ? i : place_from(wanted, i + 1)
last_name = ""; last_place = 0
place_of(wanted) = wanted eq last_name ? last_place : (last_name = wanted, last_place = place_from(wanted, 1))

# The places of the stacks in the summary, the best first; to be declared as an array before: array order[count].
is_worse(a, b) = word(ranked_hitches, a) + 0.0 > word(ranked_hitches, b) + 0.0 || \
  word(ranked_hitches, a) + 0.0 == word(ranked_hitches, b) + 0.0 && word(ranked_imports, a) + 0.0 > word(ranked_imports, b) + 0.0
rank_stacks = 'do for [i = 1:count] { order[i] = i }; do for [i = 1:count] { do for [j = 1:count - i] { ' . \
  'if (is_worse(order[j], order[j + 1])) { swap = order[j]; order[j] = order[j + 1]; order[j + 1] = swap } } }'

# Okabe and Ito's colours, and shapes. There is one more shape than colours, so that pairs repeat late. A stack has the
# same colour in every chart, which depends on its place among all stacks. Stacks of users follow these in the chart's
# order. Variants of a stack, and its lines at other values, have the same colour and differ in shape. `number_stacks`
# evaluates that.
colours = "#0072b2 #d55e00 #009e73 #cc79a7 #e69f00 #56b4e9 #000000"
shapes = "7 5 9 11 13 15 4 6"
known_stacks = "all-main worker-merge child-of-main reversed-parent three-tier per-view-controller single-background " . \
  "pinned-main scratch-pad master-and-children main-on-coordinator pooled-children confinement two-coordinators " . \
  "background-fan-out"
before_sign(text, sign) = strstrt(text, sign) > 1 ? text[1:strstrt(text, sign) - 1] : text
stack_of(i) = '"' . before_sign(before_sign(word(names, i), ","), "/") . '"'
# The place of a quoted word in a list of different ones, or 0. A recursion would end at 250 words.
word_place(list, text) = sum [j = 1:words(list)] (('"' . word(list, j) . '"') eq text ? j : 0)
number_stacks = 'array colour_place[count]; array twin[count]; all_stacks = known_stacks; do for [i = 1:count] { ' . \
  'all_stacks = word_place(all_stacks, stack_of(i)) ? all_stacks : all_stacks . " " . stack_of(i); ' . \
  'colour_place[i] = word_place(all_stacks, stack_of(i)); twin[i] = 0; ' . \
  'if (i > 1) { twin[i] = sum [j = 1:i - 1] (colour_place[j] == colour_place[i] ? 1 : 0) } }'
colour(i) = word(colours, (colour_place[i] - 1) % words(colours) + 1)
shape(i) = int(word(shapes, (colour_place[i] - 1 + twin[i]) % words(shapes) + 1))

# A run on drawn devices has a table of them. Its frames and parts are those of one device.
here = GPVAL_PWD
if (exists("results")) { cd results }
has_draws = exists("results") && strlen(system("ls draws.csv 2>/dev/null")) > 0
cd here
shown_trial = has_draws ? "one device with the profile's own values" : "the median trial of each stack"

set_margins = 'set lmargin at screen left / (1.0 * width); set rmargin at screen 1 - right / (1.0 * width); ' . \
  'set bmargin at screen bottom / (1.0 * height); set tmargin at screen 1 - top / (1.0 * height)'
set_axes = 'set border 3 linecolor rgb "#666666"; set tics nomirror textcolor rgb "#333333"'

set datafile separator comma
set datafile columnheaders
