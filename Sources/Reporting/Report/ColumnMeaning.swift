/// The meaning of a column of a report's tables, for a reader who has only the page.
struct ColumnMeaning {
  let term: String
  let value: String

  private init(_ term: String, _ value: String) {
    self.term = term
    self.value = value
  }

  /// The meanings of all columns, in the order of the columns. A tick is the display's beat; it posts a frame unless
  /// one is pending or running.
  static let all = [
    ColumnMeaning("total hitch ms", "time by which frames came late, in total"),
    ColumnMeaning("hitch ms/s", "the same per second of the run"),
    ColumnMeaning("band", "what Apple calls that"),
    ColumnMeaning("dropped", "ticks of the display at which no frame could be posted"),
    ColumnMeaning("hangs", "frames that started 250 ms late or more"),
    ColumnMeaning(
      "stall p99 ms",
      "frame lateness, from a due tick to the start of the first frame at or after it, of which 99 % is less"),
    ColumnMeaning("visible p99 ms", "from a payload's arrival to the frame that shows it"),
    ColumnMeaning("edit p99 ms", "from the user's intended edit to the frame that shows it"),
    ColumnMeaning("main busy ms", "main-queue time outside frames, waiting included"),
    ColumnMeaning("import s", "from the first arrival to the last COMMIT"),
    ColumnMeaning("durable p99 ms", "from a payload's arrival until it survives a kill"),
    ColumnMeaning("at risk ms", "for how long a payload was shown and would not have survived"),
    ColumnMeaning("heap peak MB", "the most that was allocated beyond the start"),
    ColumnMeaning("SQL", "statements run, transactions included"),
    ColumnMeaning("verified", "whether every row, link, edit and list is what an independent model says"),
  ]
}
