import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, before, test } from 'node:test'
import { Purposes, Token } from '../../src/accounts/tokens/token.ts'
import { Tokens } from '../../src/accounts/tokens/tokens.ts'
import { Trust } from '../../src/accounts/devices/trust.ts'
import { connect } from '../../src/database/connect.ts'
import type { Database } from '../../src/database/surface.ts'
import { Dialects } from '../../src/database/sql/dialects/dialect.ts'
import { createTables } from '../databases/token-stores.ts'
import { withLongTimeouts } from '../support/long-timeouts.ts'
import { onEveryDatabase } from '../support/test-databases.ts'

const connections = 50
const rounds = 8

/** A command for every connection. */
interface Order {
  readonly verb: 'redeem' | 'rotate'
  readonly token: string
  readonly grace?: number
}

/** A database, and fifty connections to it in several other processes. */
class Contest {
  readonly database: Database
  readonly #children: readonly Child[]

  constructor(database: Database, children: readonly Child[]) {
    this.database = database
    this.#children = children
  }

  static async begin(given: string, processes: number): Promise<Contest> {
    const url = withLongTimeouts(given)
    const database = await connect(url)
    await createTables(database)
    const children = Array.from({ length: processes }, () => spawned(url, connections / processes))
    for (const { line } of children) assert.equal(await line(), 'ready')
    return new Contest(database, children)
  }

  /** Sends a command to all at once and resolves with the result of each connection. */
  async race(order: Order): Promise<readonly (string | null)[]> {
    for (const { send } of this.#children) send(JSON.stringify(order))
    const lines = await Promise.all(this.#children.map(({ line }) => line()))
    const answers = lines.map((line) => JSON.parse(line))
    const reports = answers.flatMap((answer) => answer.reports)
    const outcomes = answers.flatMap((answer) => answer.outcomes)
    assert.deepEqual([reports, outcomes.length], [[], connections])
    return outcomes
  }

  async end(): Promise<void> {
    for (const { kill } of this.#children) kill()
    await this.database.close()
  }
}

interface Child {
  readonly line: () => Promise<string>
  readonly send: (line: string) => void
  readonly kill: () => void
}

function spawned(url: string, share: number): Child {
  const file = join(import.meta.dirname, 'token-races-child.ts')
  const flags = ['--conditions=source', file, url, String(share)]
  const child = spawn(process.execPath, flags, { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return {
    line: async () => String((await lines.next()).value),
    send: (line) => void child.stdin.write(`${line}\n`),
    kill: () => void child.kill('SIGKILL'),
  }
}

onEveryDatabase((name, _, create) => {
  let contest: Contest
  // In one process SQLite runs one statement after the other, so it needs more processes.
  const [processes, options] = name === Dialects.SQLite ? [10, 'busy_timeout=60'] : [5, 'pool=1']
  before(async () => {
    contest = await Contest.begin(`${await create()}?${options}`, processes)
  })
  after(() => contest.end())

  test('of 50 concurrent redemptions of one token exactly one gets its user', async () => {
    for (let round = 0; round < rounds; round += 1) {
      const { value } = await new Tokens(contest.database).mint(`${round}`, Purposes.Recovery)
      const outcomes = await contest.race({ verb: 'redeem', token: value })
      assert.deepEqual(
        outcomes.filter((user) => user !== null),
        [`${round}`],
      )
    }
  })

  test('of 50 concurrent rotations of one device with grace one gets the next token, the others null', async () => {
    const trust = new Trust(contest.database)
    for (let round = 0; round < rounds; round += 1) {
      const { value } = await trust.issue(`${round}`)
      const outcomes = await contest.race({ verb: 'rotate', token: value, grace: 60 })
      const [winner = '', ...others] = outcomes.filter((outcome) => outcome !== null)
      assert.deepEqual(others, [])
      assert.ok((await trust.rotate(winner)) instanceof Token, 'the device goes on')
    }
  })

  // A rotation that read before the winner wrote has lost the race and gets null. A later one presents
  // a used validator: the first of them reports a theft, and then nothing is left to find.
  test('without grace one gets the next token, and at most one reports a theft', async () => {
    const trust = new Trust(contest.database)
    for (let round = 0; round < rounds; round += 1) {
      const { value, selector } = await trust.issue(`${round}`)
      const outcomes = await contest.race({ verb: 'rotate', token: value, grace: 0 })
      const thefts = outcomes.filter((outcome) => outcome === 'theft').length
      const others = outcomes.filter((outcome) => outcome === null).length
      assert.deepEqual([thefts <= 1, others], [true, connections - 1 - thefts])
      assert.equal(await trust.isLive(selector), thefts === 0)
    }
  })
})
