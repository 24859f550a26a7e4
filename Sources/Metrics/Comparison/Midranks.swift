/// The ranks of a series, doubled so that the mean rank of equal values is an integer too.
struct Midranks: Hashable, Sendable {
  /// The doubled ranks in the order of the series. The smallest possible value is 2.
  let doubled: [Int]
  /// The numbers of values that share a rank, for the ranks with more than one value.
  let tieCounts: [Int]

  /// Ranks the values in O(n log n).
  init(_ values: [Double]) {
    let order = values.indices.sorted { values[$0] < values[$1] }
    var doubled = [Int](repeating: 0, count: values.count)
    var tieCounts: [Int] = []
    var start = 0
    while start < order.count {
      var end = start + 1
      while end < order.count, values[order[end]] == values[order[start]] { end += 1 }
      // The values have the ranks start + 1 to end. Their mean doubled is the sum of the first and the last one.
      for place in start..<end { doubled[order[place]] = start + 1 + end }
      if end - start > 1 { tieCounts.append(end - start) }
      start = end
    }
    self.doubled = doubled
    self.tieCounts = tieCounts
  }
}
