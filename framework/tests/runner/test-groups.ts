import { globSync } from 'node:fs'

/** Test files that run the same way. */
export interface TestGroup {
  readonly name: string
  readonly files: readonly string[]
  readonly flags: readonly string[]
}

/**
 * The files under `root` that `filters` choose, unit tests first, then those on real databases. A
 * filter is `unit` or a part of a path; a file is chosen when any filter fits, and no filter chooses
 * every file.
 */
export function testGroups(root: string, filters: readonly string[], seed: number): TestGroup[] {
  const units = find(root, ['framework/src/**/*.test.ts'])
  const databases = find(root, ['framework/tests/databases/**/*.test.ts'])
  const others = find(root, ['framework/tests/**/*.test.ts', 'demo/**/*.test.ts']).filter(
    (file) => !databases.includes(file),
  )
  const everything = filters.length === 0
  const fits = (file: string): boolean => everything || filters.some((part) => file.includes(part))
  const groups = [
    {
      name: 'unit',
      files: units.filter((file) => fits(file) || filters.includes('unit')),
      // One process and a new order each time: a test that leans on another one is found out.
      flags: ['--test-isolation=none', '--test-randomize', `--test-random-seed=${seed}`],
    },
    {
      name: 'databases',
      files: databases.filter(fits),
      // One process, so that each server is started once.
      flags: ['--test-isolation=none'],
    },
    {
      name: 'processes',
      files: others.filter(fits),
      // Much of their time they wait for servers, browsers and timers.
      flags: ['--test-isolation=process', '--test-concurrency=3'],
    },
  ]
  return groups.filter(({ files }) => files.length > 0)
}

function find(root: string, patterns: string[]): string[] {
  const skipped = (name: string): boolean =>
    name.split('/').some((part) => part === 'node_modules' || part.startsWith('.'))
  return globSync(patterns, { cwd: root })
    .filter((file) => !skipped(file))
    .toSorted()
}
