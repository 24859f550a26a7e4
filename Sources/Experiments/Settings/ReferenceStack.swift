import MachineCore
import TrialProcesses

/// The stack with which all others of a result are compared, as a user names it.
package struct ReferenceStack: Hashable, Sendable {
  package let choice: StackChoice

  /// Reads a name, or the path of a file that describes a stack.
  ///
  /// - Throws: `RunFailure` with status 64 for an unknown name, and for a file that does not describe a stack.
  package init(_ word: String) throws(RunFailure) {
    choice = try StackNames.stack(word)
  }

  /// Returns the stack's name in a result.
  ///
  /// - Parameters:
  ///   - names: The names of the stacks that the result has.
  ///   - path: The folder of the result.
  /// - Returns: The name.
  /// - Throws: `RunFailure` with status 64 if the result does not have the stack.
  package func name(among names: [String], in path: String) throws(RunFailure) -> String {
    let distinct = names.reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
    guard !distinct.contains(choice.label) else { return choice.label }
    throw .usage(
      "--reference \(choice.word): \(path) has no trial of \(choice.label); "
        + "\(NearestName.clause(choice.label, among: distinct))use one of \(distinct.joined(separator: ", "))")
  }
}

extension RunRequest {
  /// Returns the request with the stack among its stacks.
  package func adding(_ reference: ReferenceStack?) -> RunRequest {
    guard let reference else { return self }
    let chosen = self.topology ?? [.named(StackNames.all)]
    let isThere = chosen.distinctTopologies.contains { reference.choice.topologies.contains($0) }
    return isThere ? self : with(\.topology, chosen + [reference.choice])
  }

  /// Returns the name of the stack with which the others are compared: the given one, or else the first that the user
  /// has described, if there are others.
  package func reference(_ given: ReferenceStack?) -> String? {
    let stacks = self.topology ?? [.named(StackNames.all)]
    guard stacks.distinctTopologies.count > 1 else { return nil }
    return given?.choice.label ?? stacks.first(where: \.isOwn)?.label
  }
}
