import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import type { Page } from 'playwright-core'
import { findChromium } from '../../framework/tests/support/chromium-program.ts'
import { startOwnPostgres } from '../../framework/tests/support/postgres-server.ts'
import { machineFacts } from '../method/machine-facts.ts'
import { markdownTable } from '../method/markdown-table.ts'
import { parseFlags } from '../method/parse-flags.ts'
import { writeReport } from '../method/write-report.ts'
import { buildFramework } from '../setup/build-framework.ts'
import { faults } from './faults.ts'
import { read } from './read.ts'
import type { Read } from './read.ts'
import { School } from './school.ts'

const help = `Options of the faults benchmark:
  --only <a,b>      these faults; the report file is left alone
  --before <folder>  a clone of an older commit, built: its ways are in the report, too, and kept in its faults.json
  --check           end with status 1 when a line takes more than two clicks, or is not shown`

const maxClicks = 2

/** Plants one fault after the other and goes from its first sign to its line; the exit status. */
export async function runFaults(args: string[]): Promise<number> {
  const { list, check } = parseFlags(args, { rounds: 1, lists: ['only', 'before'], help })
  const [before] = list('before')
  const facts = machineFacts()
  await buildFramework()
  const older = before === undefined ? null : await readOnce(before, list('only'))
  const after = await readAll(join(import.meta.dirname, '..', '..'), list('only'))
  const report = reportOf(after, older, facts)
  console.log(report)
  if (list('only').length === 0) await writeReport('faults', report)
  const isMissed = ({ found, clicks }: Read): boolean => !found || clicks > maxClicks
  return check && [...after.values()].some(isMissed) ? 1 : 0
}

type Reads = ReadonlyMap<string, Read>

/** The ways in an older build, which does not change. */
async function readOnce(repository: string, only: readonly string[]): Promise<Reads> {
  const file = join(repository, 'faults.json')
  if (existsSync(file)) return new Map(Object.entries(JSON.parse(readFileSync(file, 'utf8'))))
  const reads = await readAll(repository, only)
  if (only.length === 0) writeFileSync(file, JSON.stringify(Object.fromEntries(reads)))
  return reads
}

async function readAll(repository: string, only: readonly string[]): Promise<Reads> {
  if (!existsSync(join(repository, 'framework/dist'))) throw new Error(`${repository} is not built`)
  const folder = mkdtempSync(join(tmpdir(), 'faults-'))
  const postgres = await startOwnPostgres({ deadlock_timeout: '200ms' })
  const reads = new Map<string, Read>()
  try {
    const school = new School(repository, join(folder, 'music-school'), postgres)
    for (const fault of faults) {
      if (only.length > 0 && !only.includes(fault.name)) continue
      reads.set(fault.name, await inOwnBrowser((page) => read(school, fault, page)))
      console.error(`${fault.name} ${JSON.stringify(reads.get(fault.name))}`)
    }
  } finally {
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  return reads
}

async function inOwnBrowser(work: (page: Page) => Promise<Read>): Promise<Read> {
  const browser = await chromium.launch({
    executablePath: findChromium() ?? '',
    args: ['--no-sandbox', '--disable-gpu'],
  })
  try {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
    context.setDefaultTimeout(60_000)
    return await work(await context.newPage())
  } finally {
    await browser.close()
  }
}

function reportOf(after: Reads, before: Reads | null, facts: readonly string[]): string {
  const olderWays = (name: string): string[] => (before === null ? [] : [wayOf(before.get(name))])
  const rows = faults
    .filter(({ name }) => after.has(name))
    .map(({ name, about, environment, sign }) =>
      [about, `${sign}, ${environment}`].concat(olderWays(name), wayOf(after.get(name))),
    )
  const head = ['Fault', 'First sign', ...(before === null ? [] : ['Before']), 'Now']
  const found = [...after.values()].filter(({ found: isFound }) => isFound)
  return [
    '# Planted faults',
    'Written by `npm run bench -- faults`. From the first sign that something is wrong to the line of the planted fault: clicks, and seconds of the machine, without those of the reader, who does not know the project. A line counts when `file:line` can be read on the page, or in the terminal, without another click; the script compares it with the marker in the source. Zero clicks: the first sign shows it.',
    facts.map((fact) => `- ${fact}`).join('\n'),
    markdownTable(head, rows),
    `${found.length} of ${after.size} lines are shown, ${found.filter(({ clicks }) => clicks <= maxClicks).length} after at most ${maxClicks} clicks.`,
    '',
  ].join('\n\n')
}

function wayOf(way: Read | undefined): string {
  if (way === undefined) return ''
  const clicks = `${way.clicks} ${way.clicks === 1 ? 'click' : 'clicks'}`
  if (!way.found) return `not shown (${clicks}); had to read the code`
  return `${clicks}, ${way.seconds.toFixed(1)} s`
}
