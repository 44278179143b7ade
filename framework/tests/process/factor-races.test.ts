import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createSecretKey, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, before, test } from 'node:test'
import { oneTimeCode, timeStep } from '../../src/accounts/factors/one-time-code.ts'
import { ApplicationKey } from '../../src/settings/application-key.ts'
import { fromBase32 } from '../../src/base/encoding/base32.ts'
import { connect } from '../../src/database/connect.ts'
import { Dialects } from '../../src/database/sql/dialects/dialect.ts'
import { sql } from '../../src/database/sql/plan/statement.ts'
import { AuthenticatorSite, createTables } from '../databases/authenticator-site.ts'
import { TestAuthenticator } from '../../src/accounts/passkeys/passkey-testing.ts'
import { KeptSession } from '../support/kept-session.ts'
import { withLongTimeouts } from '../support/long-timeouts.ts'
import { onEveryDatabase } from '../support/test-databases.ts'

const connections = 50
const rounds = 4

/** What is done with a code, or with the answer of a passkey. */
type Verb = 'verify' | 'enable' | 'register' | 'enter' | 'prove' | 'mail'

interface Child {
  readonly line: () => Promise<string>
  readonly send: (line: string) => void
  readonly kill: () => void
}

function spawned(url: string, share: number, key: string): Child {
  const file = join(import.meta.dirname, 'factor-races-child.ts')
  const flags = ['--conditions=source', file, url, String(share), key]
  const child = spawn(process.execPath, flags, { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return {
    line: async () => String((await lines.next()).value),
    send: (line) => void child.stdin.write(`${line}\n`),
    kill: () => void child.kill('SIGKILL'),
  }
}

onEveryDatabase((name, _, create) => {
  let site: AuthenticatorSite
  let children: readonly Child[] = []
  const key = randomBytes(32)
  // In one process SQLite runs one statement after the other, so it needs more processes.
  const [few, options] = name === Dialects.SQLite ? [10, 'busy_timeout=60'] : [5, 'pool=1']
  const processes = Number(process.env['FACTOR_TEST_PROCESSES'] ?? few)

  before(async () => {
    const url = withLongTimeouts(`${await create()}?${options}`)
    const database = await connect(url)
    await createTables(database)
    site = new AuthenticatorSite(database, new ApplicationKey(createSecretKey(key)))
    const share = connections / processes
    children = Array.from({ length: processes }, () => spawned(url, share, key.toString('hex')))
    for (const { line } of children) assert.equal(await line(), 'ready')
  })
  after(async () => {
    for (const { kill } of children) kill()
    await site.database.close()
  })

  /** Has every connection present a code at once, and resolves with the number of those it was accepted from. */
  async function winners(
    verb: Verb,
    user: string,
    code: string,
    browser: KeptSession = new KeptSession(),
  ): Promise<number> {
    const session = Object.fromEntries(browser.values)
    const order = JSON.stringify({ verb, user, code, session, now: site.clock.now })
    for (const { send } of children) send(order)
    const answers = await Promise.all(children.map(async ({ line }) => JSON.parse(await line())))
    const outcomes = answers.flatMap((answer) => answer.outcomes)
    assert.deepEqual(
      [answers.flatMap(({ reports }) => reports), outcomes.length],
      [[], connections],
    )
    return outcomes.filter((isAccepted) => isAccepted === true).length
  }

  const codeOf = (secret: string): string =>
    oneTimeCode(fromBase32(secret) ?? Buffer.alloc(0), timeStep(site.clock.now))

  test('of 50 that present one code, the first code of an app or one recovery code, one is accepted', async () => {
    for (let round = 0; round < rounds; round += 1) {
      const person = await site.person(`${round}@x.org`)
      const { secret } = await site.app.begin(person, { keep: null })
      assert.equal(await winners('enable', person.id, codeOf(secret)), 1, 'first code')
      assert.equal((await site.app.status(person.id))?.codes, 10)
      site.clock.now += 30
      assert.equal(await winners('verify', person.id, codeOf(secret)), 1, 'code')
      const [recovery = ''] = (await site.app.renewCodes(person.id, { keep: null })) ?? []
      assert.equal(await winners('verify', person.id, recovery), 1, 'recovery code')
      assert.equal((await site.app.status(person.id))?.codes, 9)
    }
  })

  test('of 50 that present one answer of a passkey one is accepted, whatever it is for', async () => {
    const binding = 'a session'
    // One that counts and one that does not: then only the challenge tells a replay.
    for (const counts of [true, false]) {
      const { id, email } = await site.person(`passkey-${counts}@x.org`)
      const browser = new TestAuthenticator({ origin: 'https://shop.example', counts })
      const creation = await site.passkeys.creationOptions({ id, email }, binding)
      assert.equal(await winners('register', id, browser.create(creation)), 1, 'a new passkey')
      assert.equal((await site.passkeys.list(id)).length, 1)
      const enter = await site.passkeys.requestOptions({ purpose: 'enter', binding })
      assert.equal(await winners('enter', id, browser.get(enter)), 1, 'signing in')
      const step = { purpose: 'sign-in', binding, user: id } as const
      const options = await site.passkeys.requestOptions(step)
      assert.equal(await winners('prove', id, browser.get(options)), 1, 'the second step')
    }
  })

  test('of 50 guesses of a mailed code three are looked at, and of 50 right ones one is accepted', async () => {
    const { id, email } = await site.person('mail@x.org')
    for (let round = 0; round < rounds; round += 1) {
      const browser = new KeptSession()
      const asked = await site.mails.begin(browser, email)
      const { code } = await site.mails.challenge(asked, await site.users.find(id))
      const isGuess = round % 2 === 0
      const typed = isGuess ? String((Number(code) + 1) % 1_000_000).padStart(6, '0') : code
      assert.equal(await winners('mail', id, typed, browser), isGuess ? 0 : 1)
      const rows = await site.database.rows(
        sql`SELECT tries FROM mail_sign_ins WHERE browser = ${asked.browser}`,
      )
      assert.deepEqual(
        rows.map(({ tries }) => Number(tries)),
        isGuess ? [3] : [],
      )
    }
  })
})
