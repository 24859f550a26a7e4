import Harness
import InputFiles
import MachineCore
import Reporting
import Topologies
import Workloads

/// The way in which the values of a setting are read from a command line or a file, and written there.
struct SettingForm<Value: Hashable & Sendable>: Sendable {
  /// The name of a value in help, as in `--rows <n>`.
  let placeholder: String
  /// The values that completions offer.
  var completion = SettingCompletion.none
  /// True if the word after the flag is its value even if it begins with a hyphen, so that the form itself refuses a
  /// negative number.
  var isNumeric = false
  /// True if the flag may be given several times, each time with one word.
  var isRepeatable = false
  /// Reads one word.
  let read: @Sendable (String) throws -> Value
  /// Writes a value as words that a user reads. A value has several words only if the form is repeatable.
  let words: @Sendable (Value) -> [String]
  /// Writes a value as words for another process, or nil if these are `words`. They must not depend on files that
  /// describe the value.
  var arguments: (@Sendable (Value) -> [String])?
  /// Returns the name of a value in results, or nil if it consists of `words`.
  var label: (@Sendable (Value) -> String)?
  /// Returns the single values that a sweep tries for a value.
  var parts: @Sendable (Value) -> [Value] = { [$0] }
  /// Joins two values of a repeatable form.
  var join: @Sendable (Value, Value) -> Value = { $1 }

  /// Returns a value as one text, in the form that the manifest and the tables of results have.
  func text(of value: Value) -> String { label?(value) ?? words(value).joined(separator: " ") }
}

/// The values that a shell offers for a flag.
package enum SettingCompletion: Hashable, Sendable {
  case none
  case list([String])
  /// Some names, and the files in the working folder that have one of some extensions.
  case listOrFiles([String], endings: [String])
}

// MARK: - Numbers and times

extension SettingForm where Value == Int {
  static func integer(_ range: ClosedRange<Int>, placeholder: String = "n") -> SettingForm {
    SettingForm(placeholder: placeholder, isNumeric: true, read: OptionValue.integer(in: range), words: { ["\($0)"] })
  }
}

extension SettingForm where Value == UInt64 {
  static var seed: SettingForm {
    SettingForm(placeholder: "n", isNumeric: true, read: OptionValue.seed, words: { ["\($0)"] })
  }
}

extension SettingForm where Value == Double {
  /// The form for a number of per cent from 0 to 100.
  static var percent: SettingForm {
    SettingForm(placeholder: "percent", isNumeric: true, read: OptionValue.percent, words: { [$0.plainText] })
  }
}

extension SettingForm where Value == TimeSpan {
  static func milliseconds(upTo limit: Int) -> SettingForm {
    SettingForm(
      placeholder: "ms", isNumeric: true, read: OptionValue.milliseconds(upTo: limit),
      words: { [SpanText.milliseconds($0)] })
  }

  static func microseconds(upTo limit: Int) -> SettingForm {
    SettingForm(
      placeholder: "us", isNumeric: true, read: OptionValue.microseconds(upTo: limit),
      words: { [SpanText.microseconds($0)] })
  }

  /// Returns the form for a whole number of seconds.
  static func wholeSeconds(_ range: ClosedRange<Int>) -> SettingForm {
    SettingForm(
      placeholder: "s", isNumeric: true, read: { .seconds(Int64(try OptionValue.integer(in: range)($0))) },
      words: { ["\($0.nanoseconds / 1_000_000_000)"] })
  }
}

// MARK: - Names

extension SettingForm {
  /// Returns the form for the cases of an enumeration, which are written as their raw values.
  static func name(placeholder: String) -> SettingForm
  where Value: RawRepresentable<String> & CaseIterable & Sendable {
    let values = Array(Value.allCases)
    return SettingForm(
      placeholder: placeholder, completion: .list(values.map(\.rawValue)), read: OptionValue.choice(of: values),
      words: { [$0.rawValue] })
  }
}

extension SettingForm where Value == String {
  /// Returns the form for one of some names.
  static func name(of names: [String], placeholder: String) -> SettingForm {
    SettingForm(
      placeholder: placeholder, completion: .list(names), read: OptionValue.name(of: names), words: { [$0] })
  }

  /// Returns the form for a name that only a file can confirm.
  static func name(placeholder: String) -> SettingForm {
    SettingForm(placeholder: placeholder, read: OptionValue.path, words: { [$0] })
  }

  /// Returns the form for a path. It does not check that the file exists.
  static func path(placeholder: String) -> SettingForm {
    SettingForm(placeholder: placeholder, read: OptionValue.path, words: { [$0] })
  }

  /// Returns the form for a name or a path. It does not check that the file exists.
  static func nameOrPath(placeholder: String, names: [String]) -> SettingForm {
    SettingForm(placeholder: placeholder, completion: .list(names), read: OptionValue.path, words: { [$0] })
  }
}

extension SettingForm where Value == [String] {
  /// The form for names with commas between them.
  static var names: SettingForm {
    SettingForm(placeholder: "a,b,…", read: OptionValue.names, words: { [$0.joined(separator: ",")] })
  }
}

extension SettingForm where Value == [StackChoice] {
  /// The form for stacks. `all` stands for the six stacks, `all+` for their relatives too, and a word that ends in
  /// `.yaml` or `.yml` is a file.
  static var stacks: SettingForm {
    SettingForm(
      placeholder: "id[/variant]|file.yaml",
      completion: .listOrFiles(
        [StackNames.all, StackNames.allAndRelatives] + Topology.known.map(\.title), endings: TopologyFile.endings),
      isRepeatable: true, read: { [try StackNames.choice($0)] }, words: { $0.map(\.word) },
      arguments: { $0.map(\.argument) }, label: { $0.map(\.label).joined(separator: " ") },
      parts: { choices in
        choices.distinctTopologies.map { topology in
          let own = choices.first { if case .own(topology, _) = $0 { true } else { false } }
          return [own ?? .named(topology.title)]
        }
      }, join: { $0 + $1 })
  }
}

extension SettingForm where Value == Bool {
  /// The form for a flag without a value.
  static var isPresent: SettingForm {
    SettingForm(placeholder: "", read: { _ in true }, words: { $0 ? [""] : [] })
  }
}

// MARK: - Values of the libraries

extension SettingForm where Value == StoreSave {
  static var storeSave: SettingForm {
    SettingForm(
      placeholder: "immediate|every:ms|idle:ms|at-end", read: OptionValue.storeSave, words: { ["\($0)"] })
  }
}

extension SettingForm where Value == FileFault {
  static var fileFault: SettingForm {
    SettingForm(placeholder: "kind:n", read: OptionValue.fileFault, words: { ["\($0)"] })
  }
}

extension SettingForm where Value == Workload {
  static var workload: SettingForm {
    SettingForm(
      placeholder: "name|file",
      completion: .listOrFiles(Workload.generatedNames, endings: Workload.feedExtensions),
      read: { text throws in try OptionValue.refused { try Workload(argument: OptionValue.path(text)) } },
      words: { workload in
        if case .feed(let path) = workload { [path] } else { [workload.name] }
      })
  }
}

extension SettingForm where Value == FeedMap {
  /// The form for a map of a feed: the path of its file, or its text, which begins with a brace.
  static var feedMap: SettingForm {
    @Sendable func word(_ map: FeedMap) -> String {
      map.place == FeedMapFile.description ? FeedMapFile.line(of: map) : map.place
    }
    return SettingForm(
      placeholder: "file.yaml", completion: .listOrFiles([], endings: FeedMapFile.endings),
      read: { text throws in
        let text = try OptionValue.path(text)
        do throws(YAMLError) {
          return try FeedMapFile.map(text)
        } catch {
          // The message about a setting names the file.
          let line = error.line.map { "line \($0)" }
          throw OptionValue.Refusal(
            description: [line, error.key, error.message].compactMap(\.self).joined(separator: ": "))
        }
      }, words: { [word($0)] }, arguments: { [FeedMapFile.line(of: $0)] })
  }
}

extension SettingForm where Value == ExistingRows {
  /// The form for a number of rows, for numbers of rows of entities, or for a row for each record of a feed: `n`,
  /// `Entity=n,Entity=n` or `full`.
  static var existingRows: SettingForm {
    let number = OptionValue.integer(in: 0...WorkloadOptions.largestRowCount)
    return SettingForm(
      placeholder: "n|entity=n,…|full", isNumeric: true,
      read: { text throws in
        if text == "full" { return .everyRecord }
        guard text.contains("=") || Int(text) == nil else { return .count(try number(text)) }
        return try OptionValue.refused { try ExistingRows(argument: text) }
      }, words: { ["\($0)"] })
  }
}

extension SettingForm where Value == [ListSort] {
  /// The form for attributes with commas between them, each with a hyphen before it if its order is descending.
  static var listSort: SettingForm {
    SettingForm(
      placeholder: "a,-b,…", isNumeric: true, read: { text throws in try OptionValue.names(text).map(ListSort.init) },
      words: { [$0.map(\.description).joined(separator: ",")] })
  }
}

extension SettingForm where Value == ListCondition {
  static var listCondition: SettingForm {
    SettingForm(
      placeholder: "condition",
      read: { text throws in try OptionValue.refused { try ListCondition(argument: text) } }, words: { ["\($0)"] })
  }
}

extension SettingForm where Value == Mix {
  static var mix: SettingForm {
    SettingForm(
      placeholder: "i:u:d", read: { text throws in try OptionValue.refused { try Mix(argument: text) } },
      words: { ["\($0)"] })
  }
}
