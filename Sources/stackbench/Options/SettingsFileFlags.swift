import ArgumentParser
import CommandShell
import Experiments
import TrialProcesses
import Workloads

/// The flag with which a command ignores the settings file, and the reading of that file.
struct SettingsFileFlags: ParsableArguments {
  @Flag(
    name: .customLong(String(SettingsFile.ignoringFlag.dropFirst(2))),
    help: "Do not read \(SettingsFile.name) in the working folder. 'stackbench init' writes that file.")
  var isLeftAside = false

  /// Calls a function with the settings of the flags and those of the file in the working folder. Flags replace settings
  /// of the file.
  ///
  /// - Parameters:
  ///   - given: The settings that the flags give.
  ///   - isQuiet: True if no note about the settings from the file is printed.
  ///   - accepts: A function that indicates whether the command accepts a setting from the file.
  ///   - body: A function of all settings.
  /// - Returns: The result of the function.
  /// - Throws: `RunFailure` with status 64 if the file cannot be read, or the error of the function. If that is a failure
  ///   about a setting from the file, its message begins with the line of the file.
  func use<Value>(
    with given: RunRequest, isQuiet: Bool = false, accepting accepts: (AnySetting) -> Bool,
    _ body: (RunRequest) throws -> Value
  ) throws -> Value {
    guard !isLeftAside else {
      var request = given
      request.ignoresSettingsFile = true
      return try body(request)
    }
    guard let file = try SettingsFile.ofWorkingFolder() else { return try body(given) }
    let names = file.namesTaken(beside: given, accepting: accepts)
    if !names.isEmpty, !isQuiet {
      StandardError.write(line: "note: settings from \(file.place): \(names.joined(separator: ", "))")
    }
    let request = file.request.filtered(names.contains).merging(given)
    do {
      return try body(request)
    } catch let failure as RunFailure {
      throw file.located(failure, among: names)
    } catch let error as WorkloadError where [.invalidOption, .unreadableFile, .damagedFeed].contains(error.code) {
      throw file.located(.usage(SettingNames.message(of: error)), among: names)
    }
  }
}
