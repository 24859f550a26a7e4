import CSQLite
import ContextEngine
import Foundation
import MachineCore

/// Faults in the calls of a store on its files, and the content that the files have after a power cut.
///
/// A test or a trial arms a fault, and the calls of the store count until it occurs. The store's configuration has the
/// faults, and its file access is counted.
///
/// Files must not be kept in memory. Thread-safe.
package final class FileFaults: Sendable {
  /// A kind of call.
  package enum Call: String, CaseIterable, Sendable {
    case open, read, write, sync, truncate, delete
  }

  /// The outcome of a call in which a fault occurs.
  package enum Effect: Hashable, Sendable {
    /// The call does nothing and fails with a result code of SQLite's.
    case fails(Int32)
    /// The first half of the bytes is written, and the call fails with a result code. Other calls do nothing.
    case tears(Int32)
    /// The call does nothing and succeeds.
    case drops
    /// This call and all later ones fail. Changes that were not synced may be lost; see `filesAfterPowerCut(seed:)`.
    case powerCut
  }

  private struct State: Sendable {
    var armed: (effect: Effect?, left: Int, calls: [Call], lasts: Bool, willOccur: @Sendable () -> Void)?
    var hasOccurred = false
    var hasPower = true
    var files: [String: DurableFile] = [:]
  }

  private let state = Guarded(State())

  package init() {}

  /// Lets a fault occur in a future call.
  ///
  /// - Parameters:
  ///   - effect: The outcome of the call, or nil if the call is made as usual.
  ///   - number: The number of the call among those of its kinds, from 1.
  ///   - calls: The kinds of calls that count.
  ///   - lasts: True if the fault occurs in all later calls of these kinds too, until `disarm()`.
  ///   - willOccur: A closure that is called on the thread of the call, before the call.
  package func arm(
    _ effect: Effect?, at number: Int, of calls: [Call], lasts: Bool = false,
    willOccur: @escaping @Sendable () -> Void = {}
  ) {
    state.withLock { state in
      state.armed = (effect, number, calls, lasts, willOccur)
      state.hasOccurred = false
    }
  }

  /// Lets no further fault occur. The power stays cut.
  package func disarm() { state.withLock { $0.armed = nil } }

  /// True if the fault that was armed last has occurred.
  package var hasOccurred: Bool { state.withLock { $0.hasOccurred } }

  /// The number of calls until the armed fault occurs, or 0 if no fault is armed.
  package var callsLeft: Int { state.withLock { $0.armed?.left ?? 0 } }

  /// The result code of calls after the power was cut.
  private static let withoutPower = Effect.fails(SQLITE_IOERR)

  /// Counts a call, and returns the effect if a fault occurs in it.
  func effect(of call: Call) -> Effect? {
    let (effect, willOccur) = state.withLock { state -> (Effect?, (@Sendable () -> Void)?) in
      guard state.hasPower else { return (Self.withoutPower, nil) }
      guard let armed = state.armed, armed.calls.contains(call) else { return (nil, nil) }
      guard armed.left == 1 else {
        state.armed?.left -= 1
        return (nil, nil)
      }
      let willOccur = state.hasOccurred ? nil : armed.willOccur
      if !armed.lasts { state.armed = nil }
      state.hasOccurred = true
      guard armed.effect == .powerCut else { return (armed.effect, willOccur) }
      state.hasPower = false
      return (Self.withoutPower, willOccur)
    }
    willOccur?()
    return effect
  }

  /// Counts a call, and returns a result code if a fault occurs in it.
  func code(of call: Call) -> Int32? {
    switch effect(of: call) {
    case .fails(let code)?, .tears(let code)?: code
    case .drops?: SQLITE_OK
    case .powerCut?: SQLITE_IOERR
    case nil: nil
    }
  }
}

// MARK: - Durable content

extension FileFaults {
  /// A file as a device has it.
  private struct DurableFile: Sendable {
    /// The content that was synced, or nil if the file did not exist then.
    var synced: [UInt8]?
    /// The changes since then, which the device may have made or not.
    var pending: [Change] = []

    enum Change: Sendable {
      case write([UInt8], offset: Int)
      case truncate(Int)
      case delete
    }

    /// The number of bytes that a device writes at once.
    static let sectorSize = 512

    mutating func sync() {
      for change in pending { Self.apply(change, to: &synced) }
      pending = []
    }

    /// Makes a change in place, since a store of many pages is synced often.
    static func apply(_ change: Change, to file: inout [UInt8]?) {
      var content = file ?? []
      file = nil
      switch change {
      case .delete: return
      case .truncate(let size): content.removeLast(max(0, content.count - size))
      case .write(let bytes, let offset):
        if content.count < offset + bytes.count {
          content += repeatElement(0, count: offset + bytes.count - content.count)
        }
        content.replaceSubrange(offset..<offset + bytes.count, with: bytes)
      }
      file = content
    }
  }

  /// Notes a file that was opened. `content` reads it, and returns nil if the file does not exist.
  func opened(_ path: String, content: () -> [UInt8]?) {
    let isKnown = state.withLock { $0.files[path] != nil }
    if isKnown { return }
    let content = content()
    state.withLock { $0.files[path] = DurableFile(synced: content) }
  }

  func wrote(_ bytes: UnsafeRawBufferPointer, to path: String, at offset: Int) {
    let bytes = Array(bytes)
    state.withLock { $0.files[path, default: DurableFile()].pending.append(.write(bytes, offset: offset)) }
  }

  func truncated(_ path: String, to size: Int) {
    state.withLock { $0.files[path, default: DurableFile()].pending.append(.truncate(size)) }
  }

  func synced(_ path: String) {
    state.withLock { $0.files[path]?.sync() }
  }

  /// Notes that a file was deleted. `isSynced` is true if its folder was synced afterwards.
  func deleted(_ path: String, isSynced: Bool) {
    state.withLock { state in
      state.files[path, default: DurableFile()].pending.append(.delete)
      if isSynced { state.files[path]?.sync() }
    }
  }

  /// Returns the files as a device may have them after the power was cut, in the order of their paths, with nil for a
  /// file that it does not have. The device may have made any of the changes that were not synced, and only some sectors
  /// of a write. The seed decides which of them it has made. Without a seed it has made none.
  package func filesAfterPowerCut(seed: UInt64?) -> [(path: String, content: [UInt8]?)] {
    let files = state.withLock { $0.files }
    var random = seed.map { SeededRandom(seed: $0, stream: "power cut") }
    return files.sorted { $0.key < $1.key }.map { path, file in
      var content = file.synced
      for change in file.pending {
        guard random?.below(2) == 0 else { continue }
        guard case .write(let bytes, let offset) = change, random?.below(4) == 0 else {
          DurableFile.apply(change, to: &content)
          continue
        }
        let sectorCount = bytes.count / DurableFile.sectorSize
        let kept = sectorCount > 0 ? (random?.below(sectorCount + 1) ?? 0) * DurableFile.sectorSize : 0
        DurableFile.apply(.write(Array(bytes.prefix(kept)), offset: offset), to: &content)
      }
      return (path, content)
    }
  }
}

/// A file that is open and in whose calls faults may occur.
final class FaultyFile: Sendable {
  let faults: FileFaults
  let path: String

  init(_ faults: FileFaults, path: String) {
    self.faults = faults
    self.path = path
  }
}
