import { spawn } from 'node:child_process'
import type { ChildProcess, ChildProcessByStdio } from 'node:child_process'
import { once } from 'node:events'
import { statSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { OrderedOutput } from './ordered-output.ts'
import type { Outcome } from './outcome.ts'
import type { TestGroup } from './test-groups.ts'

/** Options of a group. */
export interface GroupOptions {
  /** The line above its report. */
  readonly title: string
  readonly output: OrderedOutput
  /** Milliseconds that it may go without a result. */
  readonly silenceMs: number
  /** A folder for what all processes of the run share. */
  readonly shared: string
}

// Only ends tests that hang: on a busy machine a good one may take long.
const minTimeoutMs = 300_000
/** A test that hangs ends this long before the whole group counts as hanging, and so is the one named. */
const namedBeforeMs = 120_000
const reporter = join(import.meta.dirname, 'outcome-lines.ts')

/**
 * Runs a group in a child process, forwards its report to the output, and returns its outcome.
 * A run that dies, hangs for `silenceMs` after its last result, or fails for a reason that no
 * test shows, is a failure of its own.
 */
export async function runGroup(
  root: string,
  group: TestGroup,
  { title, output, silenceMs, shared }: GroupOptions,
): Promise<Outcome[]> {
  const show = output.turn(title)
  const folder = await mkdtemp(join(tmpdir(), 'framework-tests-'))
  const record = join(folder, 'outcomes.jsonl')
  await writeFile(record, '')
  try {
    const child = start(root, group, { record, shared, timeoutMs: silenceMs - namedBeforeMs })
    show([child.stdout, child.stderr])
    const stopWatching = stopWhenSilent(child, record, silenceMs)
    const closed = once(child, 'close')
    await once(child, 'exit')
    // A process left behind by a test may hold the output open.
    await Promise.race([closed, sleep(1_000, null, { ref: false })])
    for (const stream of [child.stdout, child.stderr]) stream.destroy()
    const hung = stopWatching()
    const outcomes = await readOutcomes(record)
    const problem = hung ? silence(silenceMs) : badEnd(outcomes, child)
    if (problem === null) return outcomes
    return [...outcomes, { kind: 'failed', where: `the ${group.name} group`, reason: problem }]
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function start(
  root: string,
  group: TestGroup,
  { record, shared, timeoutMs }: { record: string; shared: string; timeoutMs: number },
): ChildProcessByStdio<null, Readable, Readable> {
  const flags = [
    '--conditions=source',
    '--test',
    ...group.flags,
    `--test-timeout=${Math.max(timeoutMs, minTimeoutMs)}`,
    '--test-reporter=spec',
    '--test-reporter-destination=stdout',
    `--test-reporter=${reporter}`,
    `--test-reporter-destination=${record}`,
  ]
  // Tests of this runner run under a test runner, which the child must not join.
  const { NODE_TEST_CONTEXT: _, NODE_OPTIONS = '', ...env } = process.env
  const preloads = group.preloads.map((name) => `--require="${join(import.meta.dirname, name)}"`)
  return spawn(process.execPath, [...flags, ...group.files], {
    cwd: root,
    env: {
      ...env,
      // Hundreds of processes load the same sources; the cache halves the time of all but the first.
      NODE_COMPILE_CACHE: join(shared, 'compiled'),
      FRAMEWORK_TEST_SHARED: shared,
      NODE_OPTIONS: [NODE_OPTIONS, ...preloads].join(' '),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

/** Ends a child that records nothing for too long; returns whether it did. */
function stopWhenSilent(child: ChildProcess, record: string, silenceMs: number): () => boolean {
  let size = 0
  let heardMs = Date.now()
  let hung = false
  const listen = (): void => {
    const heard = statSync(record).size
    if (heard !== size) heardMs = Date.now()
    size = heard
    const silentMs = Date.now() - heardMs
    if (silentMs < silenceMs) return
    // The test runner passes SIGTERM on to the processes of its files, but not SIGKILL.
    child.kill(silentMs < silenceMs + 5_000 ? 'SIGTERM' : 'SIGKILL')
    hung = true
  }
  const timer = setInterval(listen, Math.min(1_000, silenceMs))
  return () => {
    clearInterval(timer)
    return hung
  }
}

async function readOutcomes(record: string): Promise<Outcome[]> {
  const lines = (await readFile(record, 'utf8')).split('\n')
  return lines.flatMap((line): Outcome[] => (line === '' ? [] : [JSON.parse(line)]))
}

function silence(silenceMs: number): string {
  return `nothing ended for ${silenceMs / 1000} s: a test hangs, or left a server, timer or process open`
}

function badEnd(outcomes: readonly Outcome[], child: ChildProcess): string | null {
  const end = child.signalCode ?? `status ${child.exitCode}`
  const finished = outcomes.find((outcome) => outcome.kind === 'finished')
  if (finished === undefined) return `the process ended (${end}) before its tests did`
  if (outcomes.some(({ kind }) => kind === 'failed')) return null
  // Node's own result: an error after the end of its test fails the run too.
  if (finished.success && child.exitCode === 0) return null
  return `every test passed, yet the run ended with ${end}: an error came after its test, see above`
}
