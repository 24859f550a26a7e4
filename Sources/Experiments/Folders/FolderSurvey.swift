import InputFiles
import OutputFiles
import TrialProcesses
import Workloads

/// The models, feeds, stores and files of settings in a folder, and those of them that belong together.
package struct FolderSurvey: Sendable {
  /// The depth to which folders are searched.
  package static let deepestLevel = FolderListing.deepestLevel
  /// The largest number of entries that are looked at.
  package static let largestCount = FolderListing.largestCount
  /// The largest numbers of feeds and models that are matched with each other.
  private static let largestFeedCount = 40
  private static let largestModelCount = 20
  private static let storeEndings: Set = ["db", "sqlite", "sqlite3", "sqlitedb", "store", "storedata"]

  /// The files of one kind: the chosen one, if there is one, and the others in the order of their paths.
  package struct Choice: Hashable, Sendable {
    /// The chosen file.
    package var chosen: FoundFile?
    /// The other files.
    package var others: [FoundFile] = []
  }

  /// The models.
  package private(set) var models = Choice()
  /// The name of the model's version to which the chosen store belongs, or nil if that is the current one.
  package private(set) var modelVersion: String?
  /// The feeds.
  package private(set) var feeds = Choice()
  /// The stores of Core Data.
  package private(set) var stores = Choice()
  /// The stacks in files of the user.
  package private(set) var topologies: [FoundFile] = []
  /// The maps of feeds.
  package private(set) var maps: [FoundFile] = []
  /// The profiles of devices in files of the user.
  package private(set) var profiles: [FoundFile] = []
  /// True if the folder has more entries than are looked at.
  package let isCut: Bool

  /// True if no file was found.
  package var isEmpty: Bool {
    [models, feeds, stores].allSatisfy { $0.chosen == nil && $0.others.isEmpty }
      && topologies.isEmpty && maps.isEmpty && profiles.isEmpty
  }

  /// Searches a folder. Only copies of stores are written, into another folder. Blocks until all files are read.
  ///
  /// - Parameters:
  ///   - root: The path of the folder.
  ///   - scratch: An existing private folder for the copies of stores.
  ///   - excluded: The name of a file in the folder that is left out.
  /// - Throws: `FileError` if there is no room for the copy of a store.
  package init(of root: String, scratch: String, except excluded: String) throws(FileError) {
    let listing = FolderListing(root)
    isCut = listing.isCut
    let files = listing.files.filter { $0 != excluded }
    func place(_ path: String) -> String { "\(root)/\(path)" }

    var found: [FoundModel] = []
    for path in listing.models {
      do throws(ModelError) {
        found.append(try FoundModel(path, at: place(path)))
      } catch {
        models.others.append(FoundFile(path: path, remark: Self.refusal(error.description, at: place(path))))
      }
    }
    var foundStores: [FoundStore] = []
    for path in files where Self.storeEndings.contains(FolderListing.ending(of: path).lowercased()) {
      guard (try? InspectedKind(of: place(path))) == .store else { continue }
      do throws(FileError) {
        foundStores.append(try FoundStore(path, at: place(path), scratch: scratch))
      } catch {
        if [.fullDisk, .unwritable].contains(error.code) { throw error }
        // Other databases of SQLite are not listed.
        guard error.code != .otherKind else { continue }
        stores.others.append(FoundFile(path: path, remark: Self.refusal(error.description, at: place(path))))
      }
    }
    for path in files where FeedMapFile.endings.contains(FolderListing.ending(of: path).lowercased()) {
      readYAML(path, at: place(path))
    }
    choose(found, feeds: Self.feeds(files, in: root, refused: &feeds.others), stores: foundStores)
  }

  private mutating func readYAML(_ path: String, at place: String) {
    if let topology = try? TopologyFile.topology(at: place) {
      topologies.append(FoundFile(path: path, remark: "the stack \(topology.title)"))
    } else if let map = try? FeedMapFile.map(place) {
      maps.append(FoundFile(path: path, remark: map.records.map { "a map of records to \($0)" } ?? "a map of a feed"))
    } else if let profile = try? ProfileLibrary.profile(named: place) {
      profiles.append(FoundFile(path: path, remark: "the device \(profile.name)"))
    }
  }

  private static func feeds(_ files: [String], in root: String, refused: inout [FoundFile]) -> [FoundFeed] {
    var feeds: [FoundFeed] = []
    for path in files where Workload.feedExtensions.contains(FolderListing.ending(of: path).lowercased()) {
      let place = "\(root)/\(path)"
      do throws(FeedError) {
        if let feed = try FoundFeed.feed(path, at: place) { feeds.append(feed) }
      } catch {
        refused.append(FoundFile(path: path, remark: refusal(error.description, at: place)))
      }
    }
    return feeds
  }

  /// Returns a message about a file without the path before it.
  private static func refusal(_ message: String, at place: String) -> String {
    let text = message.hasPrefix(place) ? message.dropFirst(place.count).drop { ": ".contains($0) } : message[...]
    return "cannot be used: \(text)"
  }
}

// MARK: - Choosing

extension FolderSurvey {
  /// A feed and a model that fits it.
  private struct Pair {
    var feed: Int
    var model: Int?
    var fit: FoundFeed.Fit
  }

  private mutating func choose(_ found: [FoundModel], feeds foundFeeds: [FoundFeed], stores foundStores: [FoundStore]) {
    var pairs: [Pair] = []
    var refusals: [Int: [String]] = [:]
    for (index, feed) in foundFeeds.enumerated() {
      guard index < Self.largestFeedCount, !feed.isLarge else {
        refusals[index] = ["not examined, because the feed is large or one of many"]
        continue
      }
      switch Self.bestPair(index, feed: feed, models: found) {
      case .success(let pair): pairs.append(pair)
      case .failure(let failure): refusals[index] = failure.messages.map { Self.refusal($0, at: feed.place) }
      }
    }
    let best = pairs.dropFirst().reduce(pairs.first) { best, pair in
      best.map { pair.fit.hasBetterFeed(than: $0.fit) ? pair : $0 } ?? pair
    }
    let model = best?.model ?? Self.model(of: foundStores, found)
    for (index, feed) in foundFeeds.enumerated() {
      let pair = pairs.first { $0.feed == index }
      let messages = refusals[index] ?? []
      var remark =
        pair?.fit.remark(hasModel: pair?.model != nil)
        ?? (model.flatMap { messages.indices.contains($0) ? messages[$0] : nil } ?? messages.first ?? "")
      if let other = pair?.model, other != model { remark += " of \(found[other].path)" }
      let file = FoundFile(path: feed.path, remark: remark)
      if index == best?.feed { feeds.chosen = file } else { feeds.others.append(file) }
    }
    for (index, other) in found.enumerated() {
      if index == model { models.chosen = other.file } else { models.others.append(other.file) }
    }
    choose(foundStores, for: model, among: found, hasFeed: best != nil)
    feeds.others.sort { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    models.others.sort { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
  }

  /// The messages about a feed that no model takes, in the order of the models.
  private struct Refusal: Error {
    var messages: [String] = []
  }

  private static func bestPair(_ index: Int, feed: FoundFeed, models: [FoundModel]) -> Result<Pair, Refusal> {
    var best: Pair?
    var refusal = Refusal()
    let candidates: [Int?] = models.isEmpty ? [nil] : models.indices.prefix(largestModelCount).map(\.self)
    for model in candidates {
      do throws(WorkloadError) {
        let fit = try feed.fit(model: model.map { models[$0].place })
        if best.map({ fit.hasBetterModel(than: $0.fit) }) ?? true { best = Pair(feed: index, model: model, fit: fit) }
      } catch {
        refusal.messages.append("\(error)")
      }
    }
    return best.map { .success($0) } ?? .failure(refusal)
  }

  /// Returns the model to which a store belongs, preferably in its current version, or the first model.
  private static func model(of stores: [FoundStore], _ models: [FoundModel]) -> Int? {
    let versions = models.map { model in stores.compactMap { $0.version(of: model) }.min() }
    return versions.firstIndex(of: 0) ?? versions.firstIndex { $0 != nil } ?? models.indices.first
  }

  /// Chooses the store with the most rows among those of the model's current version. A store of another version is
  /// chosen only if there is no feed, which would have to fit that version too.
  private mutating func choose(
    _ found: [FoundStore], for chosen: Int?, among models: [FoundModel], hasFeed: Bool
  ) {
    let model = chosen.map { models[$0] }
    let versions = found.map { store in model.flatMap { store.version(of: $0) } }
    let able = found.indices.filter { versions[$0] == 0 || (versions[$0] != nil && !hasFeed) }
    let least = able.compactMap { versions[$0] }.min()
    let best = able.filter { versions[$0] == least }.reduce(Int?.none) { best, index in
      best.map { found[index].rowCount > found[$0].rowCount ? index : $0 } ?? index
    }
    for (index, store) in found.enumerated() {
      var remark = counted(store.rowCount, "row")
      if let model {
        switch versions[index] {
        case 0: break
        case let version?: remark += "; belongs to the version \(model.versions[version].name) of the model"
        case nil:
          let owner = models.first { store.version(of: $0) != nil }?.path
          remark += owner.map { "; belongs to \($0)" } ?? "; does not belong to the model"
        }
      }
      let file = FoundFile(path: store.path, remark: remark)
      if index == best { stores.chosen = file } else { stores.others.append(file) }
    }
    if let best, let version = versions[best], version > 0 { modelVersion = model?.versions[version].name }
  }
}
