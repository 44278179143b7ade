import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { parseTree } from '../package/parse-tree.ts'
import { modules } from './modules.ts'
import type { MutatedModule } from './modules.ts'
import { measure, MutationCopy } from './mutation-run.ts'
import type { CoveringTest } from './mutation-run.ts'
import { mutantsOf } from './mutations.ts'
import type { Mutant } from './mutations.ts'

const usage = `npm run mutants -- [--every N] [--write] [${Object.keys(modules).join(' | ')}]...`
const { values, positionals } = parseArgs({
  options: {
    /** Only each Nth mutant. */
    every: { type: 'string', default: '1' },
    write: { type: 'boolean', default: false },
  },
  allowPositionals: true,
})
const every = Number(values.every)
if (!(every >= 1) || positionals.some((name) => !Object.hasOwn(modules, name))) {
  console.error(usage)
  process.exit(1)
}

const repository = join(import.meta.dirname, '..', '..', '..')
const explanations = new Map(readExplained())

for (const [name, module] of Object.entries(modules)) {
  if (positionals.length === 0 || positionals.includes(name)) await run(name, module)
}

async function run(name: string, module: MutatedModule): Promise<void> {
  const copies = [new MutationCopy(repository), new MutationCopy(repository)]
  try {
    const tests = await measureAll(copies, find(module.tests))
    const paths = find(module.sources).filter((path) => !path.endsWith('.test.ts'))
    const asts = new Map(
      parseTree(join(repository, 'framework/src')).map(({ path, ast }) => [
        `framework/src/${path}`,
        ast,
      ]),
    )
    const all = paths.flatMap((path) => {
      const ast = asts.get(path)
      return ast === undefined ? [] : mutantsOf(ast).map((mutant) => ({ path, mutant }))
    })
    const tried = all.filter((_, at) => at % every === 0)
    console.log(`${name}: ${tried.length} of ${all.length} mutants, ${tests.length} files of tests`)
    const survivors: string[] = []
    let explained = 0
    await share(copies, tried, async (copy, { path, mutant }) => {
      if (await isKilled(copy, path, mutant, tests)) return
      const text = described(path, mutant)
      const reason = explanations.get(text)
      if (reason === undefined) survivors.push(text)
      else explained += 1
      console.log(`  survives${reason === undefined ? '' : `, ${reason}`}: ${text}`)
    })
    const killed = tried.length - survivors.length - explained
    const percent = ((100 * killed) / (tried.length - explained)).toFixed(1)
    console.log(
      `${name}: ${killed} of ${tried.length} killed, ${explained} explained, score ${percent} %`,
    )
    if (values.write) {
      const path = join(import.meta.dirname, `survivors-${name}.txt`)
      writeFileSync(path, [`${name}: score ${percent} %`, ...survivors.toSorted(), ''].join('\n'))
    }
  } finally {
    for (const copy of copies) copy.remove()
  }
}

async function isKilled(
  copy: MutationCopy,
  path: string,
  mutant: Mutant,
  tests: readonly CoveringTest[],
): Promise<boolean> {
  const covering = tests.filter(({ covered }) => covered.get(path)?.[mutant.from] === 1)
  return copy.with(path, mutant, async () => {
    for (const { path: test, ms } of covering) {
      if (!(await copy.passes(test, ms * 5 + 10_000))) return true
    }
    return false
  })
}

/** The quickest first. A file that fails without a mutant would kill every one. */
async function measureAll(
  copies: readonly MutationCopy[],
  paths: readonly string[],
): Promise<CoveringTest[]> {
  const measured: CoveringTest[] = []
  await share(copies, paths, async (copy, path) => {
    const test = await measure(copy, path)
    if (test === null) console.log(`  left out, as it fails without a mutant: ${path}`)
    else measured.push(test)
  })
  return measured.toSorted((one, other) => one.ms - other.ms)
}

/** Each copy takes the next when it is done with one. */
async function share<Item>(
  copies: readonly MutationCopy[],
  items: readonly Item[],
  work: (copy: MutationCopy, item: Item) => Promise<void>,
): Promise<void> {
  const rest = items.values()
  await Promise.all(
    copies.map(async (copy) => {
      for (const item of rest) await work(copy, item)
    }),
  )
}

function find(globs: readonly string[]): string[] {
  return globs.flatMap((glob) => globSync(glob, { cwd: repository })).toSorted()
}

/** Without the number of a line, which moves: the line as it was and as it is. */
function described(path: string, { from, to, by }: Mutant): string {
  const source = readFileSync(join(repository, path), 'utf8')
  const start = source.lastIndexOf('\n', from - 1) + 1
  const end = source.indexOf('\n', to)
  const line = `${source.slice(start, from)}[${source.slice(from, to)} -> ${by}]${source.slice(to, end)}`
  return `${path}: ${line.trim().replaceAll(/\s*\n\s*/g, ' ')}`
}

/** Survivors that change nothing that can be seen, with the reason. */
function readExplained(): [string, string][] {
  const text = readFileSync(join(import.meta.dirname, 'explained.json'), 'utf8')
  const parsed: unknown = JSON.parse(text)
  if (typeof parsed !== 'object' || parsed === null)
    throw new TypeError('explained.json is no object')
  return Object.entries(parsed).map(([mutant, reason]) => [mutant, String(reason)])
}
