import Foundation
import Subprocess
import TestSupport
import Testing

@testable import Experiments
@testable import Validation
@testable import stackbench

/// Tests of `make completions` with a script as the program, and of the completions of the real program.
@Suite struct CompletionsTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private var home: String { "\(folder.path)/home" }

  private func program(_ script: String = "echo \"$1 $2\"") throws -> String {
    try folder.writeProgram("#!/bin/sh\n\(script)\n", to: "program")
  }

  /// Runs make without building the program. The home folder is inside the test's folder.
  private func make(
    _ arguments: [String], environment: [Environment.Key: String?] = [:]
  ) async throws -> Program.Outcome {
    let plain: [Environment.Key: String?] = [
      "HOME": home, "XDG_DATA_HOME": nil, "XDG_CONFIG_HOME": nil, "BASH_COMPLETION_USER_DIR": nil, "PREFIX": nil,
      "DESTDIR": nil,
    ]
    return try await Program.make(
      ["--assume-old=program", "completions"] + arguments, environment: plain.merging(environment) { $1 })
  }

  /// Returns the paths of all files in the test's folder, apart from the program.
  private func files() throws -> [String] {
    let found = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
    return found.filter {
      var isFolder: ObjCBool = false
      return $0 != "program" && FileManager.default.fileExists(atPath: "\(folder.path)/\($0)", isDirectory: &isFolder)
        && !isFolder.boolValue
    }.sorted()
  }

  @Test func `make completions runs the script with the program and its variables`() async throws {
    let outcome = try await make(["--dry-run", "PREFIX=/usr", "DESTDIR=/package"])
    #expect(
      outcome.output == "PREFIX=\"/usr\" DESTDIR=\"/package\" sh .ci/completions \".build/release/stackbench\"\n")
  }

  @Test(
    arguments: [
      (
        [:], [],
        [
          "home/.config/fish/completions/stackbench.fish", "home/.local/share/bash-completion/completions/stackbench",
          "home/.local/share/zsh/site-functions/_stackbench",
        ]
      ),
      (
        ["XDG_DATA_HOME": "data", "XDG_CONFIG_HOME": "config"], [],
        [
          "config/fish/completions/stackbench.fish", "data/bash-completion/completions/stackbench",
          "data/zsh/site-functions/_stackbench",
        ]
      ),
      (
        ["BASH_COMPLETION_USER_DIR": "bash", "XDG_CONFIG_HOME": "config"], [],
        [
          "bash/completions/stackbench", "config/fish/completions/stackbench.fish",
          "home/.local/share/zsh/site-functions/_stackbench",
        ]
      ),
      (
        ["XDG_DATA_HOME": "data"], ["PREFIX"],
        [
          "usr/share/bash-completion/completions/stackbench", "usr/share/fish/vendor_completions.d/stackbench.fish",
          "usr/share/zsh/site-functions/_stackbench",
        ]
      ),
    ] as [([String: String], [String], [String])])
  func `the scripts are installed in the folders that each shell reads`(
    variables: [String: String], given: [String], expected: [String]
  ) async throws {
    let environment = Dictionary(
      uniqueKeysWithValues: variables.map { (Environment.Key(stringLiteral: $0), String?("\(folder.path)/\($1)")) })
    let arguments = ["STACKBENCH=\(try program())"] + given.map { "\($0)=\(folder.path)/usr" }
    // A second installation replaces the first one.
    for _ in 1...2 {
      let outcome = try await make(arguments, environment: environment)
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(outcome.errors.isEmpty)
      #expect(try files() == expected)
      for file in expected { #expect(outcome.output.contains("\(folder.path)/\(file)")) }
      #expect(outcome.output.contains("fpath+=") == given.isEmpty)
    }
    let bash = try #require(expected.first { $0.hasSuffix("/completions/stackbench") })
    let text = try String(contentsOfFile: "\(folder.path)/\(bash)", encoding: .utf8)
    #expect(text == "--generate-completion-script bash\n")
    let mode = try FileManager.default.attributesOfItem(atPath: "\(folder.path)/\(bash)")[.posixPermissions]
    #expect(mode as? Int == 0o644)
  }

  @Test func `DESTDIR prefixes every installed path`() async throws {
    let outcome = try await make(["STACKBENCH=\(try program())", "DESTDIR=\(folder.path)/package", "PREFIX=/usr"])
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(
      try files() == [
        "package/usr/share/bash-completion/completions/stackbench",
        "package/usr/share/fish/vendor_completions.d/stackbench.fish",
        "package/usr/share/zsh/site-functions/_stackbench",
      ])
  }

  @Test(arguments: ["echo no >&2; exit 3", "exit 0"])
  func `a program without completions prints one line and installs no files`(script: String) async throws {
    let program = try program(script)
    let outcome = try await install(program, environment: ["HOME": home, "PREFIX": nil, "XDG_DATA_HOME": nil])
    #expect(outcome.status == 1)
    #expect(
      outcome.errors == ["error: \(program): makes no completions for bash; build it anew with 'make build'"])
    #expect(try files().isEmpty)
  }

  @Test func `a folder that cannot be made prints one line`() async throws {
    _ = try folder.write("", to: "file")
    let outcome = try await install(try program(), environment: ["PREFIX": "\(folder.path)/file"])
    #expect(outcome.status == 64)
    #expect(
      outcome.errors == [
        "error: \(folder.path)/file/share/bash-completion/completions: cannot be written; "
          + "use another PREFIX or DESTDIR, or be root"
      ])
  }

  private func install(
    _ program: String, environment: [Environment.Key: String?]
  ) async throws -> Program.Outcome {
    try await Program.run(
      .path("/bin/sh"), [Repository.root.appendingPathComponent(".ci/completions").path, program],
      environment: .inherit.updating(environment.merging(["DESTDIR": nil, "BASH_COMPLETION_USER_DIR": nil]) { $1 }))
  }
}

// MARK: - The real program

extension CompletionsTests {
  @Test(arguments: ["bash", "zsh", "fish"])
  func `the program prints a script for each shell without hidden commands`(shell: String) async throws {
    let outcome = try await Program.run(["--generate-completion-script", shell])
    #expect(outcome.status == 0)
    #expect(outcome.errors.isEmpty)
    let words = Set(outcome.output.matches(of: /[A-Za-z-]+/).map { String($0.output) })
    for command in ["run", "gate", "compare", "sweep"] { #expect(words.contains(command), "\(command)") }
    #expect(outcome.output.contains("cell-work"))
    for hidden in ["child-trial", "child-killed-trial", "child-yardstick", "prepare", "probe", "repeat"] {
      #expect(!words.contains(hidden), "\(hidden)")
    }
  }

  @Test func `every flag suggested for --vary is a flag of run`() {
    let help = Stackbench.helpMessage(for: RunCommand.self, columns: 10_000)
    for flag in VariedSetting.suggested {
      #expect(help.contains("--\(flag) <"), "\(flag)")
    }
  }

  @Test func `the zsh script has valid names of variables`() async throws {
    let script = try await Program.run(["--generate-completion-script", "zsh"]).output
    let names = script.matches(of: /local -ar ([^=]+)=/).map { String($0.output.1) }
    #expect(!names.isEmpty)
    for name in names { #expect(name.wholeMatch(of: /[A-Za-z_][A-Za-z_0-9]*/) != nil, "\(name)") }
  }

  @Test(arguments: [
    (["stackbench", "ga"], ["gate"]), (["stackbench", "run", "--cell"], ["--cell-work"]),
    (["stackbench", "run", "--format", ""], ["csv", "json", "markdown", "text"]),
    (["stackbench", "run", "--machine", "s"], ["simulated"]),
    (["stackbench", "run", "--topology", "worker-merge/r"], ["worker-merge/reset"]),
    (["stackbench", "sweep", "--vary", "batch"], ["batch-size="]),
    (["stackbench", "run", "--workload", "cat"], ["catalog", "catalog-reorder"]),
    // Commands that pass flags on to run also complete those flags and their values.
    (["stackbench", "sweep", "--cell"], ["--cell-work"]), (["stackbench", "advise", "--cell"], ["--cell-work"]),
    (["stackbench", "advise", "--topology", "worker-merge/a"], ["worker-merge/automatic"]),
    (["stackbench", "sweep", "--profile", "iphone-4"], ["iphone-4", "iphone-4s"]),
    (["stackbench", "advise", "--priority", "s"], ["smoothness"]),
    (["stackbench", "claims", "--verdict", "d"], ["depends", "does-not-hold"]),
  ])
  func `bash completes commands, flags and values`(words: [String], expected: [String]) async throws {
    let script = try await Program.run(["--generate-completion-script", "bash"]).output
    let file = try folder.write(script, to: "stackbench.bash")
    let typed = words.map { "'\($0)'" }.joined(separator: " ")
    let outcome = try await Program.run(
      .path("/bin/bash"),
      [
        "--noprofile", "--norc", "-c",
        """
        source '\(file)'
        COMP_WORDS=(\(typed)) COMP_CWORD=\(words.count - 1)
        COMP_LINE="${COMP_WORDS[*]}" COMP_POINT=${#COMP_LINE}
        complete -p stackbench | grep -o -- '-F [^ ]*' | cut -c4- >'\(folder.path)/name'
        "$(cat '\(folder.path)/name')" stackbench "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
        printf '%s\\n' "${COMPREPLY[@]}"
        """,
      ])
    #expect(outcome.output.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.sorted() == expected)
  }
}
