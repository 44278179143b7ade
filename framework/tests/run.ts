import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startBusyLoops } from './runner/busy-loops.ts'
import { neededPrograms } from './runner/needed-programs.ts'
import { OrderedOutput } from './runner/ordered-output.ts'
import { readCpu } from './runner/read-cpu.ts'
import { runGroup } from './runner/run-group.ts'
import { summarize } from './runner/summarize.ts'
import { testGroups } from './runner/test-groups.ts'
import type { TestGroup } from './runner/test-groups.ts'
import type { Outcome } from './runner/outcome.ts'
import { installPrograms } from './support/install-programs.ts'

const usage = `npm test -- [--seed N] [--busy N] [unit | part of a path]...`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string' },
    // Loops that keep CPUs busy beside the tests, to show that they do not depend on timing.
    busy: { type: 'string', default: '0' },
    // These two let the tests of this runner use a planted tree.
    root: { type: 'string', default: `${import.meta.dirname}/../..` },
    silence: { type: 'string', default: '420' },
  },
})

const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 32))
if (!Number.isSafeInteger(seed)) throw new TypeError(`--seed takes a whole number: ${usage}`)

const busy = Number(values.busy)
if (!(Number.isInteger(busy) && busy >= 0)) throw new TypeError(`--busy takes a count: ${usage}`)

// Before the first test, and never by a test: concurrent ones would get in each other's way.
const lists = testGroups(values.root, positionals, seed)
const files = lists.flat().flatMap((group) => group.files)
const missing = await installPrograms(neededPrograms(values.root, files))

const stopBusyLoops = startBusyLoops(busy)
const output = new OrderedOutput(process.stdout)
const silenceMs = Number(values.silence) * 1000
const shared = await mkdtemp(join(tmpdir(), 'framework-shared-'))
const runAll = async (groups: readonly TestGroup[]): Promise<Outcome[]> => {
  const outcomes: Outcome[] = []
  for (const group of groups) {
    const order = group.name === 'unit' ? `, order --seed ${seed}` : ''
    const title = `\n${group.name}: ${group.files.length} files${order}\n`
    outcomes.push(...(await runGroup(values.root, group, { title, output, silenceMs, shared })))
  }
  return outcomes
}
const outcomes = (await Promise.all(lists.map(runAll))).flat()
const cpuMs = readCpu(values.root, shared)

await stopBusyLoops()
await rm(shared, { recursive: true, force: true, maxRetries: 10 })

const summary = summarize(outcomes, {
  skipsFail: process.env['FRAMEWORK_NO_SKIPS'] === '1',
  missing: missing.map(({ name }) => name),
  cpuMs,
})
console.log(summary.text)
process.exitCode = summary.green ? 0 : 1
