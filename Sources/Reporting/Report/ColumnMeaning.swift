/// What a column of a report's tables says, for a reader who has the page alone.
enum ColumnMeaning {
  /// All, in the order of the columns. A tick is the display's beat; it posts a frame unless one is pending or running.
  static let all: [Page.Fact] = [
    Page.Fact("total hitch ms", "time by which frames came late, in total"),
    Page.Fact("hitch ms/s", "the same per second of the run"),
    Page.Fact("band", "what Apple calls that"),
    Page.Fact("dropped", "ticks of the display at which no frame could be posted"),
    Page.Fact("hangs", "frames that started 250 ms late or more"),
    Page.Fact(
      "stall p99 ms",
      "frame lateness, from a due tick to the start of the first frame at or after it, of which 99 % is less"),
    Page.Fact("visible p99 ms", "from a payload's arrival to the frame that shows it"),
    Page.Fact("edit p99 ms", "from the user's intended edit to the frame that shows it"),
    Page.Fact("main busy ms", "main-queue time outside frames, waiting included"),
    Page.Fact("import s", "from the first arrival to the last COMMIT"),
    Page.Fact("durable p99 ms", "from a payload's arrival until it survives a kill"),
    Page.Fact("at risk ms", "for how long a payload was shown and would not have survived"),
    Page.Fact("heap peak MB", "the most that was allocated beyond the start"),
    Page.Fact("SQL", "statements run, transactions included"),
    Page.Fact("verified", "whether every row, link, edit and list is what an independent model says"),
  ]
}
