import { parseArgs } from 'node:util'
import { OrderedOutput } from './runner/ordered-output.ts'
import { runGroup } from './runner/run-group.ts'
import { summarize } from './runner/summarize.ts'
import { testGroups } from './runner/test-groups.ts'
import type { Outcome } from './runner/outcome.ts'

const usage = `npm test -- [--seed N] [unit | part of a path]...`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string' },
    // The two below let the tests of this runner point it at a planted tree.
    root: { type: 'string', default: `${import.meta.dirname}/../..` },
    silence: { type: 'string', default: '180' },
  },
})

const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 32))
if (!Number.isSafeInteger(seed)) throw new TypeError(`--seed takes a whole number: ${usage}`)

const output = new OrderedOutput(process.stdout)
const outcomes: Outcome[] = []
for (const groups of testGroups(values.root, positionals, seed)) {
  const ended = groups.map((group) => {
    const order = group.name === 'unit' ? `, order --seed ${seed}` : ''
    const title = `\n${group.name}: ${group.files.length} files${order}\n`
    return runGroup(values.root, group, { title, output, silenceMs: Number(values.silence) * 1000 })
  })
  outcomes.push(...(await Promise.all(ended)).flat())
}

const summary = summarize(outcomes, { skipsFail: process.env['FRAMEWORK_NO_SKIPS'] === '1' })
console.log(summary.text)
process.exitCode = summary.green ? 0 : 1
