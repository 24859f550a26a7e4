/// What a column of a report's tables says, for a reader who has the page alone.
enum ColumnMeaning {
  /// All, in the order of the columns. A tick is the display's beat; it posts a frame unless one is pending or running.
  static let all: [Page.Fact] = [
    Page.Fact("total hitch ms", "the time by which frames were late, in total"),
    Page.Fact("hitch ms/s", "the same for each second of the run"),
    Page.Fact("band", "Apple's band for that value"),
    Page.Fact("dropped", "the number of ticks at which no frame could be posted"),
    Page.Fact("hangs", "the number of frames that started 250 ms late or more"),
    Page.Fact(
      "stall p99 ms",
      "the frame lateness, from a due tick to the start of the first frame at or after it, 99th percentile"),
    Page.Fact("visible p99 ms", "from the arrival of a payload to the frame that shows it, 99th percentile"),
    Page.Fact("edit p99 ms", "from the instant of the user's edit to the frame that shows it, 99th percentile"),
    Page.Fact("main busy ms", "the main queue's time outside frames, waiting included"),
    Page.Fact("import s", "from the first arrival to the last COMMIT"),
    Page.Fact(
      "durable p99 ms", "from the arrival of a payload until it survives the end of the process, 99th percentile"),
    Page.Fact("at risk ms", "the longest time for which a payload was on screen before it was durable"),
    Page.Fact("heap peak MB", "the most memory that was allocated beyond the start of the import"),
    Page.Fact("SQL", "the number of statements run, transactions included"),
    Page.Fact("verified", "yes if every row, link, edit and list matches an independent model"),
  ]

  /// The meaning of the column of a run with a model or a list of the user's.
  static let firstFetch = Page.Fact(
    "first fetch ms", "the main queue's time until a list has been fetched first and its cells have been read")
}
