import Foundation
import TestSupport
import Testing

/// A page of the repository's documentation, in Markdown.
struct DocumentationPage: Sendable, CustomTestStringConvertible {
  /// The path in the repository.
  let path: String
  let text: String

  var testDescription: String { path }

  /// The pages at the root of the repository and in `docs`, in the order of their paths.
  static let all = pages(in: ".") + pages(in: "docs")

  /// The stories of known troubles, which the page of troubles links to.
  static let stories = pages(in: "docs/troubles")

  private static func pages(in folder: String) -> [DocumentationPage] {
    let path = Repository.root.appendingPathComponent(folder).path
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    return names.filter { $0.hasSuffix(".md") }.sorted().compactMap { name in
      let path = folder == "." ? name : "\(folder)/\(name)"
      return (try? Repository.text(path)).map { DocumentationPage(path: path, text: $0) }
    }
  }

  static func named(_ path: String) throws -> DocumentationPage {
    try #require(all.first { $0.path == path }, "\(path)")
  }

  /// The number of words, including those of code and tables.
  var wordCount: Int { text.split(whereSeparator: \.isWhitespace).count }

  /// The texts of its code: lines that are indented by four spaces or more, and texts in backticks.
  var code: [String] {
    let lines = text.split(separator: "\n").filter { $0.hasPrefix("    ") }.map { $0.drop { $0 == " " } }
    return (lines + text.matches(of: /`([^`\n]+)`/).map(\.1)).map(String.init)
  }

  /// The commands of the comments that name what has printed the block below.
  var printingCommands: [String] {
    text.matches(of: /<!-- printed by: (.*) -->/).map { String($0.1) }
  }

  /// The targets of its links and images that are not addresses on the network.
  var linkedPaths: [String] {
    text.matches(of: /\]\(([^)\s]+)\)/).map { String($0.1) }.filter { !$0.contains("://") }
  }

  /// The names by which links lead to its headings, as GitHub makes them: in lower case, without punctuation, and with
  /// hyphens in place of spaces. A number distinguishes equal headings.
  var anchors: [String] {
    var anchors: [String] = []
    var counts: [String: Int] = [:]
    var isFenced = false
    for line in text.split(separator: "\n") {
      if line.hasPrefix("```") { isFenced.toggle() }
      guard !isFenced, let heading = line.wholeMatch(of: /#+ (.+)/)?.1 else { continue }
      let anchor = heading.lowercased().filter { $0.isLetter || $0.isNumber || " -_".contains($0) }
        .replacing(" ", with: "-")
      let count = counts[anchor, default: 0]
      counts[anchor] = count + 1
      anchors.append(count == 0 ? anchor : "\(anchor)-\(count)")
    }
    return anchors
  }

  /// Returns the path in the repository of a linked path, which is relative to the folder of the page. The name of a
  /// heading behind `#` is left out.
  func resolved(_ linked: String) -> String {
    let file = String(linked.prefix { $0 != "#" })
    if file.isEmpty { return path }
    let folder = Repository.root.appendingPathComponent(path).deletingLastPathComponent()
    let target = folder.appendingPathComponent(file).standardizedFileURL.path
    let root = Repository.root.standardizedFileURL.path + "/"
    return target.hasPrefix(root) ? String(target.dropFirst(root.count)) : target
  }
}

// MARK: - Sentences

extension DocumentationPage {
  /// The paragraphs and list items as one line each, without headings, tables, comments and code blocks.
  var paragraphs: [String] {
    var paragraphs: [[Substring]] = [[]]
    var isFenced = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```") { isFenced.toggle() }
      let words = line.split(separator: " ")
      let isText = !isFenced && !["```", "    ", "|", "#", "<!--"].contains { line.hasPrefix($0) }
      let isItem = words.first.map { $0.wholeMatch(of: /[-*]|\d+\./) != nil } ?? false
      if !isText || words.isEmpty || isItem { paragraphs.append([]) }
      if isText { paragraphs[paragraphs.count - 1] += isItem ? words.dropFirst() : words[...] }
    }
    return paragraphs.filter { !$0.isEmpty }.map { paragraph in
      paragraph.joined(separator: " ").replacing(/!?\[([^\]]*)\]\([^)]*\)/) { String($0.1) }
    }
  }

  /// The sentences of the paragraphs. A sentence ends at a full stop, question mark or exclamation mark, or with its
  /// paragraph.
  var sentences: [String] {
    paragraphs.flatMap { paragraph in
      var sentences: [[Substring]] = [[]]
      for word in paragraph.split(separator: " ") {
        sentences[sentences.count - 1].append(word)
        if word.wholeMatch(of: /.*[.?!][*)"]*/) != nil, word != "…" { sentences.append([]) }
      }
      return sentences.filter { !$0.isEmpty }.map { $0.joined(separator: " ") }
    }
  }

  /// Returns the sentences that have more than that number of words.
  func sentences(longerThan wordCount: Int) -> [String] {
    sentences.filter { $0.split(separator: " ").count > wordCount }
  }
}
