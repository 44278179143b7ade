import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { connect } from '../../src/database/connect.ts'
import type { Database } from '../../src/database/surface.ts'
import { sql } from '../../src/database/sql/plan/statement.ts'
import { RunningCommand, runCommand } from '../support/command.ts'
import { hasOpenSmtpd, openSmtpd } from '../support/opensmtpd.ts'
import { plantDemo } from '../support/plant-demo.ts'
import { useRealHashes } from '../support/real-hashes.ts'
import { waitFor } from '../support/wait-for.ts'
import { Stranger, areaUnderCurve } from './forgot-probes.ts'

// What times tell is judged here.
useRealHashes()

// FORGOT_TEST_SAMPLES=200 npm test -- forgot-leaks --silence 900
const samples = Number(process.env['FORGOT_TEST_SAMPLES'] ?? 4)
const isLong = samples >= 200
// With 200 samples of each kind chance alone passes the bounds in one of twelve measurements, and a timer of
// the server, such as the one that measures the queue, adds a statement to some. Then more samples are
// taken and judged together: a real difference stays, chance does not.
const maxRounds = 4
const warmUp = isLong ? 20 : 1
// These vary by chance and are judged by the bounds alone; counts of events must be equal in most samples too.
const varying =
  /^(?:response|next|health|process_cpu_seconds_total|http_bytes_\w+_total|queue_depth|queue_age_seconds)\b/

/** What two kinds of addresses showed, by probe. */
type Seen = Record<'known' | 'unknown', Map<string, number[]>>

/** The demo in production, with accounts `member-0000@example.org` and so on. */
async function serve(
  t: TestContext,
  env: Readonly<Record<string, string>>,
): Promise<{ readonly url: string; readonly database: Database }> {
  const cwd = plantDemo(t)
  const APP_KEY = randomBytes(32).toString('hex')
  const options = { cwd, env: { APP_KEY, PORT: '0', TRUSTED_PROXIES: '127.0.0.1', ...env } }
  const { status, stderr } = await runCommand(t, ['migrate'], options)
  assert.equal(status, 0, stderr)
  const database = await connect(`sqlite:${join(cwd, 'storage', 'database.sqlite')}`)
  await database.transaction(async (transaction) => {
    for (let at = 0; at < maxRounds * samples + warmUp; at += 1) {
      await transaction.run(sql`INSERT INTO users (email) VALUES (${addressOf('member', at)})`)
    }
  })
  t.after(() => database.close())
  const queue = ['queue', 'run', 'mail']
  const worker = env['MAIL_QUEUE'] === '1' ? new RunningCommand(t, queue, options) : null
  const url = await new RunningCommand(t, ['serve'], options).url()
  assert.equal(worker?.child.exitCode ?? null, null)
  return { url, database }
}

function addressOf(name: 'member' | 'nobody', at: number): string {
  return `${name}-${String(at).padStart(4, '0')}@example.org`
}

/** Takes samples of both kinds in random order, each with an address of its own. */
async function take(stranger: Stranger, seen: Seen, from: number, count: number): Promise<void> {
  for (let at = from; at < from + count; at += 1) {
    const kinds = [
      [seen.known, addressOf('member', at)],
      [seen.unknown, addressOf('nobody', at)],
    ] as const
    for (const [group, email] of Math.random() < 0.5 ? kinds : kinds.toReversed()) {
      for (const [name, value] of await stranger.probe(email)) {
        group.set(name, [...(group.get(name) ?? []), value])
      }
    }
  }
}

/** The probes that tell the kinds apart, with their area under the curve. */
function telling(t: TestContext, { known, unknown }: Seen): string[] {
  const found: string[] = []
  for (const [name, values] of known) {
    const area = areaUnderCurve(values, unknown.get(name) ?? [])
    const shown = `${name} ${area.toFixed(3)} of ${values.length} + ${values.length}`
    const isVarying = varying.test(name)
    if (isVarying) t.diagnostic(shown)
    else if (/^(?:process|runtime)_|_seconds(?!_count)/.test(name)) continue
    const isOutside = isLong && (area < 0.45 || area > 0.55)
    const differs = !isVarying && medianOf(values) !== medianOf(unknown.get(name) ?? [])
    if (isOutside || differs) found.push(shown)
  }
  return found
}

function medianOf(values: readonly number[]): number | undefined {
  return values.toSorted((one, other) => one - other)[values.length >> 1]
}

const lanes: Record<string, (t: TestContext) => Promise<Readonly<Record<string, string>>>> = {
  'a folder': () => Promise.resolve({}),
  'a queue': () => Promise.resolve({ MAIL_QUEUE: '1' }),
  'a mail server': async (t) => {
    const { port } = await onOtherCore(() => openSmtpd(t))
    return { MAIL_HOST: '127.0.0.1', MAIL_PORT: String(port), MAIL_SECURE: 'none' }
  },
}

/**
 * Starts a server on a core that neither the site nor the stranger uses from then on: a mail server is
 * usually on another machine, and its work must not be what is measured.
 */
async function onOtherCore<T>(start: () => Promise<T>): Promise<T> {
  const last = availableParallelism() - 1
  if (last === 0) return start()
  useCores(String(last))
  try {
    return await start()
  } finally {
    useCores(`0-${last - 1}`)
  }
}

function useCores(list: string): void {
  const { status } = spawnSync('taskset', [
    '--all-tasks',
    '--cpu-list',
    '--pid',
    list,
    `${process.pid}`,
  ])
  assert.equal(status, 0, 'taskset')
}

/** The forms that send a mail, and the table in which it leaves a row. */
const forms = { '/forgot': 'tokens', '/login/mail': 'mail_sign_ins' } as const

for (const [lane, settings] of Object.entries(lanes)) {
  const isPossible = lane !== 'a mail server' || hasOpenSmtpd()
  for (const [form, table] of Object.entries(forms)) {
    const isFirst = lane === 'a folder' && form === '/forgot'
    if (!isFirst && !(isLong && isPossible)) continue
    test(`with mails to ${lane}, neither times nor metrics of ${form} tell strangers who has an account`, async (t) => {
      const { url, database } = await serve(t, await settings(t))
      const stranger = new Stranger(url, form)
      t.after(() => stranger.close())
      await take(stranger, { known: new Map(), unknown: new Map() }, 0, warmUp)
      const seen: Seen = { known: new Map(), unknown: new Map() }
      let found: string[] = []
      let asked = warmUp
      for (let round = 0; round < maxRounds; round += 1) {
        await take(stranger, seen, warmUp + round * samples, samples)
        asked += samples
        found = telling(t, seen)
        if (found.length === 0) break
      }
      assert.deepEqual(found, [])
      // Every known address got its mail, all others together left one row.
      const hasRows = async (): Promise<boolean> => {
        const [row] = await database.rows(sql`SELECT count(*) AS mails FROM ${sql.name(table)}`)
        return Number(row?.['mails']) === asked + 1
      }
      await waitFor('the mails', hasRows, 60)
    })
  }
}
