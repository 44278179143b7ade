import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { createThrowables, type Reporter } from '../../framework/dist/public/debugging.js'
import { Server } from '../../framework/dist/public/http.js'
import { exceptionsReporter, fileSink, Logs } from '../../framework/dist/public/logs.js'
import { type Entrant, type Series, takeTurns, type Turns } from './turns.ts'

/** What a failing request costs in production, beside one that answers as many bytes. */
export interface RequestScore {
  readonly title: string
  readonly plain: Series
  /** Without reporters. */
  readonly silent: Series
  /** With the channel `exceptions` in a file, as a project has it. */
  readonly logged: Series
}

const formats = [
  { format: 'page', accept: 'text/html' },
  { format: 'JSON', accept: 'application/json' },
] as const

/**
 * How many requests meet in one turn of the event loop: alone is the dearest, since the log writes
 * the lines of a turn together.
 */
const crowds = [1, 10]

/** Answers requests in memory, round by round: plain ones, and ones whose handler throws. */
export async function playRequests(turns: Turns): Promise<readonly RequestScore[]> {
  const folder = await mkdtemp(join(tmpdir(), 'framework-bench-'))
  const logs = new Logs({ sinks: [fileSink(join(folder, 'exceptions.log'))] })
  try {
    const contests = formats.flatMap(({ format, accept }) =>
      crowds.map((crowd) => ({ title: `${format}, ${crowdName(crowd)}`, accept, crowd })),
    )
    const entrants: Entrant[] = []
    for (const contest of contests) entrants.push(...(await contestants(contest, logs)))
    const series = await takeTurns('requests', entrants, turns)
    return contests.map(({ title }, at) => ({
      title,
      plain: series[3 * at] ?? nothing,
      silent: series[3 * at + 1] ?? nothing,
      logged: series[3 * at + 2] ?? nothing,
    }))
  } finally {
    await logs.close()
    await rm(folder, { recursive: true })
  }
}

interface Contest {
  readonly title: string
  readonly accept: string
  readonly crowd: number
}

async function contestants(contest: Contest, logs: Logs): Promise<readonly Entrant[]> {
  const silent = failingServer([])
  const logged = failingServer([exceptionsReporter(logs)])
  const { bytes, type } = await failure(silent, contest.accept)
  return [
    entrant('answered', contest, plainServer(bytes, type), 200),
    entrant('failed, nobody told', contest, silent, 500),
    entrant('failed, logged to a file', contest, logged, 500, () => logs.flush()),
  ]
}

function crowdName(crowd: number): string {
  return crowd === 1 ? 'one at a time' : `${crowd} at a time`
}

const nothing: Series = { label: 'nobody', samples: [] }

function failingServer(reporters: readonly Reporter[]): Server {
  const throwables = createThrowables()
  throwables.reporters.push(...reporters)
  const server = new Server({ environment: 'production', throwables, reporter: null })
  server.router.get('/', () => {
    throw new Error('the oven is cold')
  })
  return server
}

function plainServer(bytes: Buffer, type: string): Server {
  const body = bytes.toString()
  const server = new Server({ environment: 'production', reporter: null })
  server.router.get('/', (_request, response) => response.text(body).header('Content-Type', type))
  return server
}

async function failure(server: Server, accept: string): Promise<{ bytes: Buffer; type: string }> {
  const { status, bytes, headers } = await server.inject({ url: '/', headers: { accept } })
  if (status !== 500) throw new Error(`expected the status 500, came ${status}`)
  return { bytes, type: headers['content-type'] ?? '' }
}

function entrant(
  what: string,
  { title, accept, crowd }: Contest,
  server: Server,
  expected: number,
  finish: () => Promise<void> = () => Promise.resolve(),
): Entrant {
  const label = `${title}: ${what}`
  const request = { url: '/', headers: { accept } }
  return {
    label,
    async burst(count) {
      for (let number = 0; number < count; number += crowd) {
        const asked = Array.from({ length: crowd }, () => server.inject(request))
        for (const { status } of await Promise.all(asked)) {
          if (status !== expected) throw new Error(`${label}: expected ${expected}, came ${status}`)
        }
        await turn()
      }
      await finish()
    },
  }
}
