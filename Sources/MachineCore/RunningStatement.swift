/// An SQL statement that a thread begins to run. Its text, without values, is read only on request.
///
/// A value is valid during the call that receives it, and must not be kept.
public struct RunningStatement {
  private let characters: UnsafePointer<CChar>

  /// Creates a statement with its text as a zero-terminated string, which is not copied.
  public init(text characters: UnsafePointer<CChar>) {
    self.characters = characters
  }

  /// A copy of the text of the statement.
  public var text: String { String(cString: characters) }

  /// Calls a closure with the text as a zero-terminated string, which is not copied, and returns its result.
  @inline(__always)
  package func withCString<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
    body(characters)
  }
}
