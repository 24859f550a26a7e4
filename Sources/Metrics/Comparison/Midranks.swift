/// The ranks of a series, doubled so that the mean rank of equal values is a whole number too.
struct Midranks: Hashable, Sendable {
  /// In the order of the series; the smallest possible value is 2.
  let doubled: [Int]
  /// How many values share each rank, for the ranks that more than one has.
  let tieCounts: [Int]

  /// O(n log n) in the number of values.
  init(_ values: [Double]) {
    let order = values.indices.sorted { values[$0] < values[$1] }
    var doubled = [Int](repeating: 0, count: values.count)
    var tieCounts: [Int] = []
    var start = 0
    while start < order.count {
      var end = start + 1
      while end < order.count, values[order[end]] == values[order[start]] { end += 1 }
      // Ranks start + 1 to end, whose mean doubled is their first and last together.
      for place in start..<end { doubled[order[place]] = start + 1 + end }
      if end - start > 1 { tieCounts.append(end - start) }
      start = end
    }
    self.doubled = doubled
    self.tieCounts = tieCounts
  }
}
