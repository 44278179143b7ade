import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isRecord } from '../../src/base/is-record.ts'
import type { Mutant } from './mutations.ts'

/** A private copy of the sources in which one mutant at a time lives. */
export class MutationCopy {
  readonly root: string

  constructor(repository: string) {
    this.root = mkdtempSync(join(tmpdir(), 'framework-mutants-'))
    for (const part of ['framework', 'demo', 'starters', 'package.json', 'tsconfig.json', 'docs']) {
      cpSync(join(repository, part), join(this.root, part), {
        recursive: true,
        filter: (path) => !/^(?:node_modules|dist|storage)$/.test(basename(path)),
      })
    }
    // The package by its name is the copy too.
    mkdirSync(join(this.root, 'node_modules'))
    for (const name of readdirSync(join(repository, 'node_modules'))) {
      const target =
        name === 'framework' ? join(this.root, name) : join(repository, 'node_modules', name)
      symlinkSync(target, join(this.root, 'node_modules', name))
    }
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true })
  }

  /** Runs something while a source has a mutant. */
  async with<Value>(path: string, mutant: Mutant, work: () => Promise<Value>): Promise<Value> {
    const file = join(this.root, path)
    const source = readFileSync(file, 'utf8')
    writeFileSync(file, source.slice(0, mutant.from) + mutant.by + source.slice(mutant.to))
    try {
      return await work()
    } finally {
      writeFileSync(file, source)
    }
  }

  /** Whether the tests of a file pass, on SQLite, within a time and 2 GB. */
  async passes(test: string, timeoutMs: number, coverage: string = ''): Promise<boolean> {
    const preloads = ['quick-start.cjs', 'cheap-hashes.cjs'].flatMap((name) => [
      '--require',
      join(this.root, 'framework/tests/runner', name),
    ])
    const patterns = ['postgres', 'mariadb'].map((name) => `--test-skip-pattern=/^${name}$/`)
    const flags = [
      '--conditions=source',
      '--disable-warning=ExperimentalWarning',
      '--max-old-space-size=2000',
    ]
    const { NODE_TEST_CONTEXT: _, ...env } = process.env
    const child = spawn(
      process.execPath,
      [
        ...flags,
        ...preloads,
        '--test',
        '--test-isolation=none',
        '--test-force-exit',
        ...patterns,
        test,
      ],
      {
        cwd: this.root,
        detached: true,
        stdio: 'ignore',
        env: {
          ...env,
          // Given, so that none is started.
          TEST_POSTGRES_URL: 'postgres://127.0.0.1:1/none',
          TEST_MARIADB_URL: 'mysql://127.0.0.1:1/none',
          ...(coverage !== '' && { NODE_V8_COVERAGE: coverage }),
        },
      },
    )
    const kill = (): void => {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
    }
    const timer = setTimeout(kill, timeoutMs)
    await once(child, 'exit')
    clearTimeout(timer)
    return child.exitCode === 0
  }
}

/** A file of tests: how long it takes, and which characters of which sources it runs. */
export interface CoveringTest {
  readonly path: string
  readonly ms: number
  readonly covered: ReadonlyMap<string, Uint8Array>
}

/** Runs a file of tests without a mutant; null if it does not pass. */
export async function measure(copy: MutationCopy, path: string): Promise<CoveringTest | null> {
  const folder = mkdtempSync(join(tmpdir(), 'framework-coverage-'))
  try {
    const began = performance.now()
    if (!(await copy.passes(path, 600_000, folder))) return null
    const ms = performance.now() - began
    const covered = new Map<string, Uint8Array>()
    for (const name of globSync('*.json', { cwd: folder })) {
      const report: unknown = JSON.parse(readFileSync(join(folder, name), 'utf8'))
      const scripts = isRecord(report) && Array.isArray(report['result']) ? report['result'] : []
      for (const script of scripts) addCovered(covered, script, copy.root)
    }
    return { path, ms, covered }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function addCovered(covered: Map<string, Uint8Array>, script: unknown, root: string): void {
  if (!isRecord(script) || typeof script['url'] !== 'string') return
  if (!script['url'].startsWith(`file://${root}/framework/src/`)) return
  const path = fileURLToPath(script['url']).slice(root.length + 1)
  const functions = Array.isArray(script['functions']) ? script['functions'] : []
  const ranges = functions.flatMap((one) => (Array.isArray(one.ranges) ? one.ranges : []))
  const ran = new Uint8Array(Math.max(0, ...ranges.map(({ endOffset }) => Number(endOffset))))
  for (const { startOffset, endOffset, count } of ranges) {
    ran.fill(Math.min(Number(count), 1), Number(startOffset), Number(endOffset))
  }
  const old = covered.get(path)
  covered.set(path, old === undefined ? ran : ran.map((one, at) => one | (old[at] ?? 0)))
}
