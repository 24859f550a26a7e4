/// Stops the process over a programming error, with a sentence, in release builds too.
///
/// `precondition` prints nothing in release builds, so misuse (a wrong queue, an object of another context, a lock taken
/// twice) goes through here.
public func trapMisuse(
  _ sentence: @autoclosure () -> String, file: StaticString = #fileID, line: UInt = #line
) -> Never {
  fatalError(sentence(), file: file, line: line)
}
