/// A first-in, first-out queue of elements in one array. Appending and removing are O(1) on average.
package struct Line<Element> {
  private var elements: [Element?] = []
  private var head = 0

  package init() {}

  package var count: Int { elements.count - head }
  package var isEmpty: Bool { head == elements.count }
  package var first: Element? { isEmpty ? nil : elements[head] }

  package mutating func append(_ element: Element) {
    elements.append(element)
  }

  package mutating func popFirst() -> Element? {
    guard !isEmpty else { return nil }
    let element = elements[head].take()
    head += 1
    if head == elements.count {
      elements.removeAll(keepingCapacity: true)
      head = 0
    } else if head >= 64, head * 2 >= elements.count {
      // A line that is never empty would otherwise grow without limit.
      elements.removeFirst(head)
      head = 0
    }
    return element
  }
}

extension Line: Sendable where Element: Sendable {}
