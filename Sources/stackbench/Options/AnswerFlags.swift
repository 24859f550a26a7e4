import ArgumentParser
import CommandShell
import Experiments
import OutputFiles
import Reporting

/// An answer that a command prints and can keep in a folder.
protocol KeptAnswer: PrintableResult {
  static var kind: PrintedAnswer { get }
}

extension AdvicePage: KeptAnswer {
  static let kind = PrintedAnswer.advice
}

extension ComparisonPage: KeptAnswer {
  static let kind = PrintedAnswer.comparison
}

/// The flags for the folder and the format of an answer.
struct AnswerFlags<Answer: KeptAnswer>: ParsableArguments {
  @Option(
    folder: """
      Keep the \(Answer.kind.rawValue) in this folder, in every format, for 'stackbench show'. (default: it is only \
      printed)
      """
  )
  var output: String?

  @Option(formats: Answer.formats) var format = OutputFormat.text
}

// MARK: - Meaning

extension AnswerFlags {
  /// Returns the folder in which the answer is kept, or nil if it is only printed.
  ///
  /// - Throws: `RunFailure` if the folder cannot be used.
  func folder() throws -> OutputFolder? { try PrintedAnswer.folder(output, flag: "--output") }

  /// Prints an answer and keeps it.
  ///
  /// - Parameters:
  ///   - answer: The answer.
  ///   - target: The folder in which the answer is kept, or nil if it is only printed.
  ///   - isQuiet: True if the answer is not printed.
  ///   - kept: Returns the answer as it is kept in a format.
  /// - Throws: `RunFailure` if the answer cannot be written.
  func show(_ answer: Answer, in target: OutputFolder?, isQuiet: Bool, kept: (OutputFormat) -> Answer) throws {
    if !isQuiet { try StandardOutput.write(answer, as: format) }
    guard let target else { return }
    let moved = try Answer.kind.write(to: target) { try kept($0).text($0) }
    ResultNote(folder: output ?? "", moved: moved, canBeReported: false).show(behindTable: !isQuiet && format == .text)
  }
}
