import { execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../framework/tests/support/free-port.ts'
import { AskedProcess } from '../method/asked-process.ts'
import { findLoad } from '../method/load.ts'
import type { Load } from '../method/load.ts'
import { machineFacts } from '../method/machine-facts.ts'
import { markdownTable } from '../method/markdown-table.ts'
import { parseFlags } from '../method/parse-flags.ts'
import { findPinning } from '../method/pinning.ts'
import type { Pin } from '../method/pinning.ts'
import { shuffled } from '../method/shuffled.ts'
import { figureOf, median } from '../method/statistics.ts'
import { isMissed, judge, targetsSection } from '../method/targets.ts'
import type { Target } from '../method/targets.ts'
import { writeReport } from '../method/write-report.ts'
import { buildFramework } from '../setup/build-framework.ts'

const help = `Options of the languages benchmark:
  --rounds <n>  measured rounds (default 40)
  --quick       3 rounds, to see that everything works; the report file is left alone
  --check       end with status 1 when a target is missed`

const repository = join(import.meta.dirname, '..', '..')
const command = join(repository, 'framework', 'bin', 'framework.js')
const seconds = 1
const connections = 8

/** A page of the demo: in a copy without languages, and in three of its four. */
const sides = ['without', 'first', 'second', 'third'] as const
type Side = (typeof sides)[number]

/** Measures what languages cost a page and a start; the exit status. */
export async function runLanguages(args: string[]): Promise<number> {
  const { rounds, check } = parseFlags(args, { rounds: 40, help })
  await buildFramework()
  const folder = mkdtempSync(join(tmpdir(), 'languages-'))
  try {
    const roots = copies(folder)
    const played = await playPages(roots, rounds)
    const starts = await playStarts(roots, rounds)
    const loads = playLoads(roots, join(folder, 'compiled'), rounds)
    const targets = targetsOf(played, starts, loads)
    const report = reportOf(played, starts, targets, rounds)
    console.log(report)
    if (rounds >= 6) await writeReport('languages', report)
    return check && targets.some(isMissed) ? 1 : 0
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

interface Roots {
  readonly without: string
  readonly spoken: string
}

/** Two copies of the demo, of which one has no languages. */
function copies(folder: string): Roots {
  const roots = { without: join(folder, 'without'), spoken: join(folder, 'spoken') }
  for (const root of Object.values(roots)) {
    const skipped = /\/(?:storage|node_modules|tests)$/
    cpSync(join(repository, 'demo'), root, {
      recursive: true,
      filter: (path) => !skipped.test(path),
    })
  }
  symlinkSync(join(repository, 'node_modules'), join(folder, 'node_modules'))
  const file = join(roots.without, 'project.ts')
  const text = readFileSync(file, 'utf8').replaceAll(
    /^ {2}languages,\n|^import .*languages.*\n/gm,
    '',
  )
  writeFileSync(file, text)
  return roots
}

type Round = Readonly<Record<Side, number>>

async function playPages({ without, spoken }: Roots, rounds: number): Promise<readonly Round[]> {
  const pinning = await findPinning()
  const load = await findLoad(pinning.load)
  const servers = [await serverOf(without, pinning.server), await serverOf(spoken, pinning.server)]
  const [plain, four] = servers
  if (plain === undefined || four === undefined) throw new TypeError('unreachable')
  const cost = {
    without: () => costOf(plain, load, 'en'),
    first: () => costOf(four, load, 'en'),
    second: () => costOf(four, load, 'de'),
    third: () => costOf(four, load, 'fr'),
  }
  for (let warmUp = 0; warmUp < 3; warmUp += 1) for (const side of sides) await cost[side]()
  const played: Round[] = []
  for (let round = 0; round < rounds; round += 1) {
    const costs = { without: 0, first: 0, second: 0, third: 0 }
    for (const side of shuffled(sides)) costs[side] = await cost[side]()
    played.push(costs)
  }
  for (const { process: child } of servers) await child.stop()
  return played
}

interface Served {
  readonly process: AskedProcess
  readonly url: string
}

/** The demo of a copy as it is in production, with a database of its own. */
async function serverOf(root: string, pin: Pin): Promise<Served> {
  const port = await freePort()
  const env = {
    APP_KEY: randomBytes(32).toString('hex'),
    APP_URL: `http://127.0.0.1:${port}`,
    DATABASE_URL: `sqlite:${join(root, 'benchmark.sqlite')}`,
    LOG_LEVEL: 'silent',
  }
  execFileSync(process.execPath, [command, 'migrate', '--environment', 'production'], {
    cwd: root,
    env: { ...process.env, ...env },
  })
  const script = join(import.meta.dirname, 'server.ts')
  const options = { label: root, pin, env, silent: true }
  const child = await AskedProcess.start(script, [root, String(port)], options)
  return { process: child, url: `${env.APP_URL}/login` }
}

/** Microseconds of CPU that the page takes. */
async function costOf({ process: child, url }: Served, load: Load, language: string) {
  const headers = { accept: 'text/html', 'accept-language': language }
  const page = await (await fetch(url, { headers })).text()
  if (!page.includes(titles[language] ?? '')) throw new Error(`not the page in ${language}`)
  const before = await child.ask('usage', isNumber)
  const { requests } = await load.burst({ url, headers }, connections, seconds)
  return ((await child.ask('usage', isNumber)) - before) / requests
}

const titles: Readonly<Record<string, string>> = {
  en: 'Sign in',
  de: 'Anmelden',
  fr: 'Se connecter',
}
const isNumber = (answer: unknown): answer is number => typeof answer === 'number'

type Start = Readonly<Record<keyof Roots, number>>

async function playStarts(roots: Roots, rounds: number): Promise<readonly Start[]> {
  const starts: Start[] = []
  for (const root of Object.values(roots)) await startOf(root)
  for (let round = 0; round < rounds; round += 1) {
    const start = { without: 0, spoken: 0 }
    for (const name of shuffled(['without', 'spoken'] as const)) {
      start[name] = await startOf(roots[name])
    }
    starts.push(start)
  }
  return starts
}

/**
 * Milliseconds from the spawn of a server to its open port. It ends as on Ctrl-C, so that the next one finds its
 * modules compiled.
 */
function startOf(root: string): Promise<number> {
  const began = performance.now()
  const child = spawn(process.execPath, [command, 'serve', '--environment', 'development'], {
    cwd: root,
    env: { ...process.env, PORT: '0', DATABASE_URL: 'sqlite::memory:' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  return new Promise((resolve, reject) => {
    child.once('exit', () => reject(new Error('the server did not start')))
    const seen = (text: Buffer): void => {
      if (!String(text).includes('serves')) return
      const took = performance.now() - began
      child.removeAllListeners().once('exit', () => resolve(took))
      child.kill('SIGTERM')
    }
    child.stdout.on('data', seen)
    child.stderr.on('data', seen)
  })
}

/** Milliseconds that a start takes for languages alone, of which a difference of whole starts says little. */
function playLoads({ without, spoken }: Roots, compiled: string, rounds: number): number[] {
  const script = join(import.meta.dirname, 'load.ts')
  const play = (): number =>
    Number(execFileSync(process.execPath, [script, without, spoken, compiled], { stdio: 'pipe' }))
  play()
  return Array.from({ length: rounds }, play)
}

function targetsOf(
  played: readonly Round[],
  starts: readonly Start[],
  loads: readonly number[],
): readonly Target[] {
  const second = figureOf(played.map(({ first, second: other }) => other / first))
  const third = figureOf(played.map(({ first, third: other }) => other / first))
  const none = figureOf(played.map(({ without, first }) => first / without))
  const load = figureOf(loads)
  const start = figureOf(starts.map(({ without, spoken }) => spoken - without))
  return [
    target('a page in German takes at most 3 % more CPU than in English', second),
    target('and in French', third),
    target('a project without languages saves at most 3 % of it', none),
    startTarget('a project with four languages starts at most 10 ms later', start),
    startTarget('of which these take: their modules, what is parsed', load),
  ]
}

function startTarget(claim: string, figure: ReturnType<typeof figureOf>): Target {
  const { median: middle, interval } = figure
  return {
    claim,
    measured: `${middle.toFixed(1)} ms (${interval.low.toFixed(1)} to ${interval.high.toFixed(1)})`,
    verdict: judge(figure, (ms) => ms <= 10),
  }
}

function target(claim: string, figure: ReturnType<typeof figureOf>): Target {
  const { median: middle, interval } = figure
  const times = (ratio: number): string => ratio.toFixed(3)
  return {
    claim,
    measured: `${times(middle)} × (${times(interval.low)}–${times(interval.high)})`,
    verdict: judge(figure, (ratio) => ratio <= 1.03),
  }
}

function reportOf(
  played: readonly Round[],
  starts: readonly Start[],
  targets: readonly Target[],
  rounds: number,
): string {
  const micros = (side: Side): string => median(played.map((round) => round[side])).toFixed(0)
  const ms = (name: keyof Roots): string => median(starts.map((start) => start[name])).toFixed(0)
  return [
    '# Languages benchmark',
    'Written by `npm run bench -- languages`. The sign-in page of the demo in production, over sockets, by turns: of a copy without languages, and of one with four, in three of them. In French its text has letters outside Latin-1. With four languages the page also has the form that changes the language. Starts are those of two copies, by turns, from the spawn to the open port; the last line is what such a start does for languages alone, measured in a process that has loaded everything else.',
    [
      ...machineFacts(),
      `Rounds: ${rounds}, ${seconds} s with ${connections} connections for each side`,
    ]
      .map((fact) => `- ${fact}`)
      .join('\n'),
    markdownTable(
      ['Project', 'CPU of the page, µs', 'start, ms'],
      [
        ['without languages', micros('without'), ms('without')],
        ['with four, in English', micros('first'), ms('spoken')],
        ['with four, in German', micros('second'), ''],
        ['with four, in French', micros('third'), ''],
      ],
    ),
    targetsSection(targets),
    '',
  ].join('\n\n')
}
