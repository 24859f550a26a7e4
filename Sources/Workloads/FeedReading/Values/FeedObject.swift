/// An object inside of a record. Its members are in the order of the file.
public struct FeedObject: Sequence {
  let place: TokenReference

  /// Returns the value of a member, or nil if the object has no member of this name.
  ///
  /// It compares the names in order, which takes O(number of tokens in the object).
  ///
  /// - Parameter name: The name of the member. Names are compared by their bytes.
  public subscript(_ name: String) -> FeedValue? {
    first { $0.name.hasSameBytes(as: name) }?.value
  }

  /// Returns an iterator of the members.
  public func makeIterator() -> Iterator { Iterator(index: place.index + 1, place: place) }

  /// An iterator of an object's members.
  public struct Iterator: IteratorProtocol {
    fileprivate var index: Int
    fileprivate let place: TokenReference

    /// Returns the next member, or nil after the last one.
    public mutating func next() -> FeedMember? {
      guard index < place.end else { return nil }
      let value = place.at(index + 1)
      defer { index = value.end }
      return FeedMember(name: FeedText(place: place.at(index)), value: value.value)
    }
  }
}

/// A member of an object.
public struct FeedMember {
  /// The name of the member.
  public let name: FeedText
  /// The value of the member.
  public let value: FeedValue
}

/// A list inside of a record.
public struct FeedList: Sequence {
  let place: TokenReference

  /// Returns an iterator of the elements.
  public func makeIterator() -> Iterator { Iterator(index: place.index + 1, place: place) }

  /// An iterator of a list's elements.
  public struct Iterator: IteratorProtocol {
    fileprivate var index: Int
    fileprivate let place: TokenReference

    /// Returns the next element, or nil after the last one.
    public mutating func next() -> FeedValue? {
      guard index < place.end else { return nil }
      let element = place.at(index)
      defer { index = element.end }
      return element.value
    }
  }
}
