import ArgumentParser
import CommandShell
import Yardstick

/// A hidden command that measures and prints one yardstick, so that other programs can measure this computer's speed
/// with the same work.
struct YardstickCommand: BlockingCommand {
  static let configuration = CommandConfiguration(
    commandName: "child-yardstick", abstract: "Prints the CPU nanoseconds that the yardstick's work takes now.",
    shouldDisplay: false)

  func runBlocking() throws -> ExitStatus {
    print(YardstickWork.measure())
    return .success
  }
}
