import MachineCore

/// A note of a program about what the machine does not record, or about the program's end.
package enum Note: Hashable, Sendable, Codable {
  /// The preparations have ended, and the story begins.
  case began
  /// Everything that the program posted has come to rest, and the story ends.
  case rested
  /// The program makes a call that the machine does not record.
  case called(String)
  /// A call failed with an error.
  case failed(Failure)
  /// The program found a value.
  case observed(Observation)
  /// A part of the program took a span of time.
  case measured(name: String, span: TimeSpan)
  /// A kind of work was done this number of times since the beginning, on the main thread and on all threads.
  case worked(kind: String, onMain: Int, onAll: Int)
  /// The side has ended.
  case ended(Ending)

  /// An error of the engine, without the path of the store.
  package struct Failure: Hashable, Sendable, Codable {
    /// The words of the program for the call that failed.
    package var call: String
    /// The number of the error's code.
    package var code: Int
    /// The message of the error.
    package var message: String
    /// The objects that the error concerns, such as `Note p3`, with their versions if the error is a conflict.
    package var objects: [String]

    /// Creates the note of an error.
    package init(call: String, code: Int, message: String, objects: [String]) {
      self.call = call
      self.code = code
      self.message = message
      self.objects = objects
    }
  }

  /// A value that a program found, and the value that is right.
  package struct Observation: Hashable, Sendable, Codable {
    /// The words of the program for the value.
    package var name: String
    /// The value that the program found.
    package var found: String
    /// The value that is right, or nil for a value that is only reported.
    package var right: String?

    /// Creates the note of a value.
    package init(name: String, found: String, right: String?) {
      self.name = name
      self.found = found
      self.right = right
    }

    /// True if the value is not the right one.
    package var differs: Bool { right.map { $0 != found } ?? false }
  }

  /// The ways in which a program can end.
  package enum Ending: Hashable, Sendable, Codable {
    /// The program returned and everything came to rest.
    case completed
    /// Threads waited for each other. The sentence is the machine's report.
    case deadlock(message: String)
    /// The process was stopped for misuse, with this message.
    case trapped(message: String)
    /// The program threw an error, or the machine reached a limit.
    case stopped(message: String)
  }
}
