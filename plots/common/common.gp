# What all charts share: formats, fonts, titles that fit, and the order of the stacks. A chart loads it, sets `width` and
# `height`, and evaluates the strings below where it needs what they do.
#
# Formats: svg and png for a wide page, phone (an SVG 360 px wide) for a narrow one.

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
width = is_phone ? 360 : 1200
margin = is_phone ? 8 : 24
# Pixels of a line of text, and how many characters have room in one.
line_pixels = is_phone ? 21 : 20
line_characters = is_phone ? 47 : 150
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

set_terminal = is_png ? \
  'set terminal pngcairo size 2 * width, 2 * height noenhanced font "Helvetica,12" fontscale 2 linewidth 2 pointscale 2 background rgb "white"' : \
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

# Okabe and Ito's colours, and a shape besides: one more than colours, so that pairs repeat late.
colours = "#0072b2 #d55e00 #009e73 #cc79a7 #e69f00 #56b4e9 #000000"
shapes = "7 5 9 11 13 15 4 6"
colour(i) = word(colours, (i - 1) % words(colours) + 1)
shape(i) = int(word(shapes, (i - 1) % words(shapes) + 1))

set_margins = 'set lmargin at screen left / (1.0 * width); set rmargin at screen 1 - right / (1.0 * width); ' . \
  'set bmargin at screen bottom / (1.0 * height); set tmargin at screen 1 - top / (1.0 * height)'
set_axes = 'set border 3 linecolor rgb "#666666"; set tics nomirror textcolor rgb "#333333"'

set datafile separator comma
set datafile columnheaders
