/// Stops the process with a message about a programming error, in release builds too.
///
/// Use it for misuse such as a wrong queue, an object of another context or a lock that is taken twice. In release
/// builds `precondition` would print no message.
public func trapMisuse(
  _ sentence: @autoclosure () -> String, file: StaticString = #fileID, line: UInt = #line
) -> Never {
  fatalError(sentence(), file: file, line: line)
}
