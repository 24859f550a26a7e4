// MARK: - Moving elements of long lists

// Elements are moved in blocks, which suits elements without references and elements whose references stay in the list.
// If a tenth of a list of 10,000 moves, this takes a fifth of the time of a loop over the elements.
extension UnsafeMutableBufferPointer {
  /// Moves the elements at ascending positions behind all others. Both groups keep their order. O(n).
  func moveToEnd(_ positions: [Int]) {
    guard let base = baseAddress, var target = positions.first else { return }
    let taken = positions.map { self[$0] }
    for (index, position) in positions.enumerated() {
      let end = index + 1 < positions.count ? positions[index + 1] : count
      (base + target).update(from: base + position + 1, count: end - position - 1)
      target += end - position - 1
    }
    for (index, element) in taken.enumerated() { self[target + index] = element }
  }

  /// Moves the last elements, one for each gap, into the gaps between the others. A gap is the number of other elements
  /// that come before it; the gaps ascend. O(n).
  func moveFromEnd(toGaps gaps: [Int]) {
    guard let base = baseAddress else { return }
    var source = count - gaps.count
    var target = count
    let arrived = (source..<count).map { self[$0] }
    for (index, gap) in gaps.enumerated().reversed() {
      target -= source - gap
      (base + target).update(from: base + gap, count: source - gap)
      source = gap
      target -= 1
      self[target] = arrived[index]
    }
  }
}
