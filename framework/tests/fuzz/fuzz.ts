import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { corpusOf, fuzz, FuzzFailure } from './fuzz-target.ts'
import { httpTarget, parsers } from './fuzz-targets.ts'
import { serveFuzzed } from './fuzzed-server.ts'

const usage = 'npm run fuzz -- [--runs N] [--seed N] [--keep] [target]...'
const { values, positionals } = parseArgs({
  options: {
    runs: { type: 'string', default: '20000' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 32)) },
    keep: { type: 'boolean', default: false },
  },
  allowPositionals: true,
})
const [runs, seed] = [Number(values.runs), Number(values.seed)]
const fuzzed = await serveFuzzed()
const targets = [...parsers, httpTarget(fuzzed.port, fuzzed.reported)]
const known = targets.map(({ name }) => name)
if (
  !(runs > 0) ||
  !Number.isSafeInteger(seed) ||
  positionals.some((name) => !known.includes(name))
) {
  console.error(`${usage}\nTargets: ${known.join(', ')}`)
  process.exit(1)
}

console.log(`${runs} inputs each, --seed ${seed}`)
for (const target of targets) {
  if (positionals.length > 0 && !positionals.includes(target.name)) continue
  try {
    const began = performance.now()
    const corpus = await fuzz(target, runs, seed)
    const found = corpus.length - corpusOf(target.name).length
    const seconds = ((performance.now() - began) / 1000).toFixed(1)
    console.log(
      `${target.name.padEnd(12)} ${seconds.padStart(6)} s, ${found} inputs reached something new`,
    )
    if (values.keep) keep(target.name, corpus)
  } catch (error) {
    if (!(error instanceof FuzzFailure)) throw error
    // What has failed once is tried first ever after.
    keep(target.name, [...corpusOf(target.name), error.input])
    console.error(`${error.message}\n`)
    process.exitCode = 1
  }
}
await fuzzed.close()

function keep(target: string, corpus: readonly string[]): void {
  const path = join(import.meta.dirname, 'corpus', `${target}.json`)
  if (!existsSync(path)) throw new Error(`${path} is missing`)
  writeFileSync(path, `${JSON.stringify([...new Set(corpus)], null, 2)}\n`)
}
