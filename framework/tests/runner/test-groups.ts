import { existsSync, globSync } from 'node:fs'
import { join } from 'node:path'

/** Test files that run the same way. */
export interface TestGroup {
  readonly name: string
  readonly files: readonly string[]
  readonly flags: readonly string[]
  /** Files of this folder that every Node process of the group loads first. */
  readonly preloads: readonly string[]
}

/** What a password hash costs is tested by unit tests. */
const everywhere = ['quick-start.cjs', 'record-cpu.cjs']
const usual = [...everywhere, 'cheap-hashes.cjs']

/**
 * The files under `root` that match `filters`, in groups. The lists run at the same time, the groups
 * of a list one after the other. A filter is `unit` or part of a path; a file is chosen when any filter
 * matches, and without filters every file is.
 */
export function testGroups(root: string, filters: readonly string[], seed: number): TestGroup[][] {
  const units = find(root, ['framework/src/**/*.test.ts'])
  const databases = find(root, ['framework/tests/databases/**/*.test.ts'])
  const demos = find(root, ['demo/**/*.test.ts', 'starters/**/*.test.ts'])
  const rules = find(root, ['framework/tests/package/**/*.test.ts']).filter((file) =>
    isRule(root, file),
  )
  const others = find(root, ['framework/tests/**/*.test.ts']).filter(
    // The tests of a project run in a copy of it.
    (file) => !databases.includes(file) && !rules.includes(file) && !file.includes('/projects/'),
  )
  const everything = filters.length === 0
  const fits = (file: string): boolean => everything || filters.some((part) => file.includes(part))
  const unit = {
    name: 'unit',
    files: units.filter((file) => fits(file) || filters.includes('unit')),
    // One process and a random order: this exposes tests that depend on each other.
    flags: ['--test-isolation=none', '--test-randomize', `--test-random-seed=${seed}`],
    preloads: everywhere,
  }
  const processes = {
    name: 'processes',
    files: others.filter(fits),
    // They mostly wait for servers, browsers and timers: three at a time left two cores partly idle.
    flags: ['--test-isolation=process', '--test-concurrency=4'],
    preloads: usual,
  }
  const demo = {
    name: 'demo',
    files: demos.filter(fits),
    // As new projects can run them; in separate processes they take twice as long.
    flags: ['--test-isolation=none'],
    preloads: usual,
  }
  const rule = {
    name: 'rules',
    files: rules.filter(fits),
    // Most parse the same sources, which a process does only once.
    flags: ['--test-isolation=none'],
    preloads: usual,
  }
  const [first = [], second = []] = databaseGroups(databases.filter(fits)).map((group) => [group])
  // The unit tests use a core all the time, and so end first: the processes then take their place.
  return [[unit, processes], first, [...second, demo, rule]]
    .map((groups) => groups.filter(({ files }) => files.length > 0))
    .filter((groups) => groups.length > 0)
}

/** Whether a test file is that of a module beside it. The programs of the documentation take too long. */
function isRule(root: string, file: string): boolean {
  const module = file.replace(/\.test\.ts$/, '.ts')
  return existsSync(join(root, module)) && !file.endsWith('/code-blocks.test.ts')
}

// The files of a group share a process, so that each server is started only once.
function databaseGroups(files: readonly string[]): TestGroup[] {
  const flags = ['--test-isolation=none']
  if (files.length < 20) return [{ name: 'databases', files, flags, preloads: usual }]
  return [0, 1].map((half) => ({
    name: `databases, half ${half + 1}`,
    files: files.filter((_, index) => index % 2 === half),
    flags,
    preloads: usual,
  }))
}

function find(root: string, patterns: string[]): string[] {
  const skipped = (name: string): boolean =>
    name.split('/').some((part) => part === 'node_modules' || part.startsWith('.'))
  return globSync(patterns, { cwd: root })
    .filter((file) => !skipped(file))
    .toSorted()
}
