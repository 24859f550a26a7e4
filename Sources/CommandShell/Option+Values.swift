import ArgumentParser
import Experiments
import MachineCore
import Reporting

// The options that several commands have, by the kind of their values.

extension Option where Value == OutputFormat {
  /// Creates an option with the format of standard output.
  ///
  /// - Parameters:
  ///   - wrappedValue: The standard format.
  ///   - formats: The formats that can be chosen.
  ///   - list: The formats in words, or nil for their names.
  ///   - valueName: The name of the value in the help.
  package init(wrappedValue: Value, formats: [OutputFormat], inWords list: String? = nil, valueName: String = "name") {
    let names = formats.map(\.rawValue)
    let list = list ?? "\(names.dropLast().joined(separator: ", ")) or \(names.last ?? "")"
    self.init(
      wrappedValue: wrappedValue,
      help: ArgumentHelp(
        "The format of standard output: \(list). (default: \(wrappedValue.rawValue))", valueName: valueName),
      completion: .list(names), transform: OptionValue.choice(of: formats))
  }
}

extension Option where Value == String? {
  /// Creates an option with the path of a folder.
  package init(folder help: String, discussion: String = "") {
    self.init(
      help: ArgumentHelp(help, discussion: discussion, valueName: "dir"), completion: .directory,
      transform: OptionValue.path)
  }

  /// Creates an option with one of some names.
  package init(oneOf names: [String], help: String, valueName: String = "name") {
    self.init(
      help: ArgumentHelp(help, valueName: valueName), completion: .list(names),
      transform: OptionValue.name(of: names))
  }
}

extension Option where Value == String {
  /// Creates an option with the path of a folder.
  package init(wrappedValue: Value, folder help: String) {
    self.init(
      wrappedValue: wrappedValue, help: ArgumentHelp(help, valueName: "dir"), completion: .directory,
      transform: OptionValue.path)
  }
}

extension Option where Value == Int? {
  /// Creates an option with a whole number in a range.
  package init(in range: ClosedRange<Int>, help: String, valueName: String = "n") {
    self.init(
      parsing: .unconditional, help: ArgumentHelp(help, valueName: valueName),
      transform: OptionValue.integer(in: range))
  }
}

extension Option where Value == Int {
  /// Creates an option with a whole number in a range.
  package init(wrappedValue: Value, in range: ClosedRange<Int>, help: String, valueName: String = "n") {
    self.init(
      wrappedValue: wrappedValue, parsing: .unconditional, help: ArgumentHelp(help, valueName: valueName),
      transform: OptionValue.integer(in: range))
  }

  /// Creates an option with a whole number in a range that must be given.
  package init(in range: ClosedRange<Int>, help: String, valueName: String = "n") {
    self.init(
      parsing: .unconditional, help: ArgumentHelp(help, valueName: valueName),
      transform: OptionValue.integer(in: range))
  }
}

extension Option where Value == TimeSpan? {
  /// Creates an option with a number of milliseconds up to a limit.
  package init(millisecondsUpTo limit: Int, help: String, valueName: String = "ms") {
    self.init(
      parsing: .unconditional, help: ArgumentHelp(help, valueName: valueName),
      transform: OptionValue.milliseconds(upTo: limit))
  }
}
