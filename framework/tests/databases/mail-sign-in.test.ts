import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import type { Identity } from '../../src/accounts/identity.ts'
import { MailSignIn } from '../../src/accounts/sign-in/mail-sign-in.ts'
import type { MailEntry } from '../../src/accounts/sign-in/mail-sign-in.ts'
import { Purposes } from '../../src/accounts/tokens/token.ts'
import { Tokens } from '../../src/accounts/tokens/tokens.ts'
import type { Database } from '../../src/database/surface.ts'
import { sql } from '../../src/database/sql/plan/statement.ts'
import { SqlSessions } from '../../src/http/session/sql-sessions.ts'
import { AuthSite } from '../conformance/auth-site.ts'
import type { AuthSiteOptions } from '../conformance/auth-site.ts'
import { password } from '../conformance/auth-visitor.ts'
import { KeptSession } from '../support/kept-session.ts'
import { someKey } from '../support/some-key.ts'
import { onEveryDatabase } from '../support/test-databases.ts'
import { around, tampered } from './token-stores.ts'

const ada = 'ada@example.com'
const nobody = 'nobody@example.com'

/** A site on which Ada has verified her address, and browsers that ask for mails. */
class Office {
  readonly site: AuthSite
  readonly mails: MailSignIn

  constructor(site: AuthSite, mails: MailSignIn = site.mailSignIn) {
    this.site = site
    this.mails = mails
  }

  /** Asks for a mail, and returns what it holds. */
  async ask(
    browser: KeptSession,
    email: string = ada,
  ): Promise<{ readonly code: string; readonly link: string }> {
    const asked = await this.mails.begin(browser, email)
    const { code, path } = await this.mails.challenge(asked, await this.site.users.fetch(email))
    return { code, link: path.replace('/', '.') }
  }

  type(browser: KeptSession, code: string): Promise<MailEntry | null> {
    return this.mails.redeemCode(browser, code)
  }

  press(browser: KeptSession, link: string): Promise<MailEntry | null> {
    return this.mails.redeemLink(browser, link)
  }

  async count(): Promise<number> {
    return (await this.site.database.rows(sql`SELECT id FROM mail_sign_ins`)).length
  }
}

/** Another code of six digits. */
function wrong(code: string): string {
  return String((Number(code) + 1) % 1_000_000).padStart(6, '0')
}

onEveryDatabase((_, open) => {
  async function opened(t: TestContext, options: AuthSiteOptions = {}): Promise<Office> {
    const database = await open(t, 'pool=20')
    const site = await AuthSite.on(database, { activity: true, load: true, ...options })
    await site.users.confirm('1')
    return new Office(site)
  }

  /** The same on a database whose statements go through `send`. */
  function watched(office: Office, send: Parameters<typeof around>[1]): Office {
    const { database, credentials, clock } = office.site
    const options = { credentials, key: someKey(), clock: () => clock.now, random: () => 0.5 }
    const noted: Database = around(database, send)
    return new Office(office.site, new MailSignIn(noted, options))
  }

  test('a code and a link work once, in the browser that asked', async (t) => {
    const office = await opened(t)
    const browser = new KeptSession()
    const first = await office.ask(browser)
    assert.match(first.code, /^[0-9]{6}$/)
    const others = [new KeptSession(), new KeptSession({ mail_sign_in: { ticket: 'made up' } })]
    const stranger = new KeptSession()
    await office.ask(stranger)
    for (const other of [...others, stranger]) {
      assert.equal(await office.type(other, first.code), null)
      assert.equal(await office.press(other, first.link), null)
    }
    const copy = new KeptSession(Object.fromEntries(browser.values))
    const entry = await office.type(browser, ` ${first.code.slice(0, 3)} ${first.code.slice(3)}`)
    assert.deepEqual(entry?.identity, { id: '1', email: ada, verified: true })
    assert.equal(entry?.isClaimed, false)
    assert.deepEqual([...browser.values], [], 'the ticket is gone')
    assert.equal(await office.type(copy, first.code), null)
    assert.equal(await office.press(copy, first.link), null)
    const second = await office.ask(browser)
    assert.equal(await office.press(browser, tampered(second.link)), null)
    assert.equal((await office.press(browser, second.link))?.identity.id, '1')
  })

  test('a code can be tried three times, and what is no code costs no try', async (t) => {
    const office = await opened(t)
    const browser = new KeptSession()
    const { code } = await office.ask(browser)
    for (const odd of ['', '12345', '1234567', 'abcdef', '١٢٣٤٥٦']) {
      assert.equal(await office.type(browser, odd), null)
    }
    for (let tries = 0; tries < 2; tries += 1) {
      assert.equal(await office.type(browser, wrong(code)), null)
    }
    assert.notEqual(await office.type(browser, code), null, 'the third is right')
    const next = await office.ask(browser)
    for (let tries = 0; tries < 3; tries += 1) {
      assert.equal(await office.type(browser, wrong(next.code)), null)
    }
    assert.equal(await office.type(browser, next.code), null)
    assert.equal(await office.press(browser, next.link), null)
  })

  test('they work for ten minutes, and are then swept', async (t) => {
    const office = await opened(t)
    const { clock } = office.site
    const [late, early] = [new KeptSession(), new KeptSession()]
    const mails = [await office.ask(late), await office.ask(early)] as const
    await office.ask(new KeptSession(), nobody)
    clock.now += 599
    assert.notEqual(await office.type(early, mails[1].code), null)
    clock.now += 1
    assert.equal(await office.type(late, mails[0].code), null)
    assert.equal(await office.press(late, mails[0].link), null)
    assert.equal(await office.count(), 2)
    assert.equal(await office.mails.sweep(), 1)
    assert.equal(await office.count(), 1, 'the row of nobody stays')
  })

  test('another mail replaces that of the same browser, whomever it is for', async (t) => {
    const office = await opened(t)
    const [browser, other] = [new KeptSession(), new KeptSession()]
    const elsewhere = await office.ask(other)
    for (const next of [ada, nobody]) {
      const former = await office.ask(browser)
      const kept = new KeptSession(Object.fromEntries(browser.values))
      const latter = await office.ask(browser, next)
      for (const session of [kept, browser]) {
        assert.equal(await office.type(session, former.code), null)
        assert.equal(await office.press(session, former.link), null)
      }
      const entry = await office.type(browser, latter.code)
      assert.equal(entry?.identity.id ?? null, next === ada ? '1' : null)
    }
    assert.notEqual(await office.type(other, elsewhere.code), null)
  })

  test('another password or address voids the mail', async (t) => {
    const office = await opened(t)
    const { site } = office
    const [one, two] = [new KeptSession(), new KeptSession()]
    const first = await office.ask(one)
    assert.ok(await site.credentials.change('1', 'a brighter idea', { keep: null }))
    assert.equal(await office.type(one, first.code), null)
    const second = await office.ask(two)
    await site.database.run(sql`UPDATE users SET email = 'new@example.com' WHERE id = 1`)
    assert.equal(await office.press(two, second.link), null)
    const third = await office.ask(two, 'new@example.com')
    await site.database.run(sql`DELETE FROM users WHERE id = 1`)
    assert.equal(await office.type(two, third.code), null)
    assert.deepEqual(site.reported, [])
  })

  test('an unknown address costs the same statements, and all of them together one row', async (t) => {
    const office = await opened(t)
    const sent: string[] = []
    const noted = watched(office, (proceed, statement) => {
      const { dialect } = office.site.database
      sent.push(('compile' in statement ? statement.compile(dialect) : statement).sql)
      return proceed()
    })
    const during = async (work: () => Promise<unknown>): Promise<readonly string[]> => {
      sent.length = 0
      await work()
      return [...sent]
    }
    const browsers = { [ada]: new KeptSession(), [nobody]: new KeptSession() }
    const seen: Record<string, (readonly string[])[]> = { [ada]: [], [nobody]: [] }
    for (const [email, browser] of Object.entries(browsers)) {
      const steps = seen[email] ?? []
      const mail = { code: '', link: '' }
      const asks = async (): Promise<unknown> =>
        Object.assign(mail, await noted.ask(browser, email))
      steps.push(await during(asks), await during(asks))
      steps.push(await during(() => noted.press(browser, tampered(mail.link))))
      for (let tries = 0; tries < 3; tries += 1) {
        steps.push(await during(() => noted.type(browser, wrong(mail.code))))
      }
      steps.push(await during(() => noted.type(browser, wrong(mail.code))))
    }
    assert.deepEqual(seen[nobody], seen[ada])
    assert.equal(seen[ada]?.at(-1)?.length, 2)
    for (let more = 0; more < 5; more += 1) {
      await office.ask(new KeptSession(), `nobody${more}@example.com`)
    }
    assert.equal(await office.count(), 2)
  })

  test('of thirty that are made at once no more than ten are left', async (t) => {
    const office = await opened(t)
    await Promise.all(Array.from({ length: 30 }, () => office.ask(new KeptSession())))
    // One more row stands for every address without an account.
    assert.equal(await office.count(), 11)
  })

  test('an account has at most ten at a time, and the oldest makes room', async (t) => {
    const office = await opened(t)
    const [first, second] = [new KeptSession(), new KeptSession()]
    const mails = [await office.ask(first), await office.ask(second)] as const
    for (let more = 0; more < 9; more += 1) await office.ask(new KeptSession())
    assert.equal(await office.count(), 11, 'with that of nobody')
    assert.equal(await office.type(first, mails[0].code), null)
    assert.notEqual(await office.type(second, mails[1].code), null)
  })

  test('of fifty guesses at once three are looked at, and of fifty right codes one wins', async (t) => {
    const office = await opened(t)
    for (let round = 0; round < 3; round += 1) {
      const browser = new KeptSession()
      const { code } = await office.ask(browser)
      const fifty = (typed: string): Promise<readonly (MailEntry | null)[]> =>
        Promise.all(
          Array.from({ length: 50 }, () => {
            const copy = new KeptSession(Object.fromEntries(browser.values))
            return office.type(copy, typed)
          }),
        )
      assert.deepEqual(new Set(await fifty(wrong(code))), new Set([null]))
      const [row] = await office.site.database.rows(
        sql`SELECT tries FROM mail_sign_ins WHERE user_id = '1'`,
      )
      assert.equal(Number(row?.['tries']), 3)
      assert.equal(await office.type(browser, code), null)
      const { code: next } = await office.ask(browser)
      const winners = (await fifty(next)).filter((entry) => entry !== null)
      assert.equal(winners.length, 1)
    }
    assert.deepEqual(office.site.reported, [])
  })

  test('a right code is refused if the tries were used up while it was read', async (t) => {
    const office = await opened(t)
    let meanwhile: (() => Promise<unknown>) | null = null
    const slow = watched(office, async (proceed) => {
      const result = await proceed()
      const run = meanwhile
      meanwhile = null
      await run?.()
      return result
    })
    const browser = new KeptSession()
    const { code } = await slow.ask(browser)
    meanwhile = () => office.site.database.run(sql`UPDATE mail_sign_ins SET tries = 3`)
    assert.equal(await slow.type(browser, code), null)
    assert.equal(meanwhile, null)
  })

  test('only digests are stored, and that of a code needs the key of the application', async (t) => {
    const office = await opened(t)
    const { database, credentials, clock } = office.site
    const browser = new KeptSession()
    const { code, link } = await office.ask(browser)
    const [row = {}] = await database.rows(sql`SELECT * FROM mail_sign_ins WHERE user_id = '1'`)
    const ticket = String(Object(browser.values.get('mail_sign_in')).ticket)
    const texts = Object.entries(row).filter(([, value]) => typeof value === 'string')
    for (const [column, value] of texts) {
      for (const secret of [ticket, ...link.split('.')]) {
        assert.ok(!String(value).includes(secret), column)
      }
    }
    const guessable = [
      code,
      `${String(row['browser'])} ${code}`,
      `${String(row['user_id'])} ${code}`,
    ]
    for (const text of guessable) {
      assert.notEqual(row['code'], createHash('sha256').update(text).digest('hex'))
    }
    const elsewhere = new MailSignIn(database, {
      credentials,
      key: someKey(),
      clock: () => clock.now,
    })
    assert.equal(await elsewhere.redeemCode(browser, code), null)
    assert.notEqual(await office.type(browser, code), null)
  })

  test('an account that was not verified is taken over: what its first user left has ended', async (t) => {
    const claimed: string[] = []
    const onClaim = async (_transaction: unknown, user: string): Promise<unknown> =>
      claimed.push(user)
    const office = await opened(t, { onClaim })
    const { site } = office
    const bob = 'bob@example.com'
    const stranger = await site.signedIn({ email: bob, remember: '1' })
    const link = await new Tokens(site.database).mint('2', Purposes.Verification, 2_000_000_000)
    const browser = new KeptSession()
    const { code } = await office.ask(browser, bob)
    site.events.length = 0
    const entry = await office.type(browser, code)
    const identity: Identity = { id: '2', email: bob, verified: true }
    assert.deepEqual([entry?.identity, entry?.isClaimed], [identity, true])
    assert.equal(await site.users.verify(bob, password), null, 'the password')
    assert.equal(await stranger.is(), null, 'session and device')
    assert.equal(await site.users.hasPassword('2'), false)
    assert.equal(await site.credentials.verifyEmail(link.value), null, 'mailed links')
    assert.deepEqual(claimed, ['2'])
    assert.deepEqual(site.told, ['Verified', 'PasswordRemoved'])
    const { rows = [] } = (await site.activity?.list('2', { limit: 2 })) ?? {}
    assert.deepEqual(
      rows.map(({ event, method }) => [event, method]),
      [
        ['password_removed', 'mail'],
        ['verified', 'mail'],
      ],
    )
    const again = await office.ask(browser, bob)
    assert.equal((await office.type(browser, again.code))?.isClaimed, false)
  })

  /** Lets a link verify the address of Bob, opened by somebody who is signed in to this account. */
  async function opensLink({ site }: Office, by: string | null): Promise<void> {
    const tokens = new Tokens(site.database, { clock: () => site.clock.now })
    const { value } = await tokens.mint('2', Purposes.Verification)
    assert.equal(await site.credentials.verifyEmail(value, { by }), '2')
    assert.equal((await site.users.find('2'))?.verified, true)
  }

  for (const by of [null, '1']) {
    test(`so is one that a link has verified which was opened by ${by === null ? 'nobody' : 'somebody else'}`, async (t) => {
      const office = await opened(t)
      const { site } = office
      const bob = 'bob@example.com'
      const stranger = await site.signedIn({ email: bob, remember: '1' })
      await opensLink(office, by)
      assert.equal(await site.users.isProven('2'), false)
      assert.equal(await stranger.is(), '2', 'a link alone ends nothing')
      const browser = new KeptSession()
      const { code } = await office.ask(browser, bob)
      assert.equal((await office.type(browser, code))?.isClaimed, true)
      assert.equal(await site.users.isProven('2'), true)
      assert.deepEqual([await stranger.is(), await site.users.hasPassword('2')], [null, false])
    })
  }

  test('a link that its owner has opened where they are signed in is a proof, and nothing ends later', async (t) => {
    const office = await opened(t)
    await opensLink(office, '2')
    assert.equal(await office.site.users.isProven('2'), true)
    const browser = new KeptSession()
    const { code } = await office.ask(browser, 'bob@example.com')
    assert.equal((await office.type(browser, code))?.isClaimed, false)
    assert.equal(await office.site.users.hasPassword('2'), true)
  })

  test('a code in a session of the account proves the address and ends nothing; of ten at once one does', async (t) => {
    const office = await opened(t)
    const { site } = office
    const bob = 'bob@example.com'
    const [here, elsewhere] = [
      await site.signedIn({ email: bob }),
      await site.signedIn({ email: bob }),
    ]
    await opensLink(office, null)
    const [{ digest: keep } = { digest: '' }] = await new SqlSessions(site.database).list('2')
    const browser = new KeptSession()
    const { code } = await office.ask(browser, bob)
    site.events.length = 0
    assert.equal(await office.mails.proveCode(browser, '1', code, { keep }), false, 'of another')
    const copies = Array.from(
      { length: 10 },
      () => new KeptSession(Object.fromEntries(browser.values)),
    )
    const outcomes = await Promise.all(
      copies.map((copy) => office.mails.proveCode(copy, '2', code, { keep })),
    )
    assert.equal(outcomes.filter(Boolean).length, 1)
    assert.equal(await site.users.isProven('2'), true)
    assert.deepEqual([await here.is(), await elsewhere.is()], ['2', '2'])
    assert.equal(await site.users.hasPassword('2'), true)
    assert.deepEqual(site.told, ['Confirmed'])
  })

  test('in a session that has ended meanwhile a code proves nothing, and is not used up', async (t) => {
    const office = await opened(t)
    const { site } = office
    const bob = 'bob@example.com'
    await site.signedIn({ email: bob })
    await opensLink(office, null)
    const [{ digest: keep } = { digest: '' }] = await new SqlSessions(site.database).list('2')
    const browser = new KeptSession()
    const { code } = await office.ask(browser, bob)
    await site.credentials.endOthers('2', { keep: null, device: null })
    await assert.rejects(office.mails.proveCode(browser, '2', code, { keep }), {
      code: 'E_SESSION_ENDED',
    })
    assert.equal(await site.users.isProven('2'), false)
    assert.equal((await office.type(browser, code))?.isClaimed, true)
  })

  test('if that fails nothing has changed, not even the code', async (t) => {
    let isBroken = true
    const onClaim = async (): Promise<void> => {
      if (isBroken) throw new Error('away')
    }
    const office = await opened(t, { onClaim })
    const { site } = office
    const bob = 'bob@example.com'
    const device = await site.signedIn({ email: bob, remember: '1' })
    const browser = new KeptSession()
    const { code } = await office.ask(browser, bob)
    assert.equal(await office.type(browser, code), null)
    assert.equal(site.reported.length, 1)
    assert.equal((await site.users.find('2'))?.verified, false)
    assert.equal(await device.is(), '2')
    isBroken = false
    assert.equal((await office.type(browser, code))?.isClaimed, true)
  })

  test('with a verified address everything else stays signed in', async (t) => {
    const office = await opened(t)
    const { site } = office
    const device = await site.signedIn({ email: ada, remember: '1' })
    const browser = new KeptSession()
    const { code } = await office.ask(browser)
    assert.notEqual(await office.type(browser, code), null)
    assert.equal(await device.is(), '1')
    assert.notEqual(await site.users.verify(ada, password), null)
  })

  test('a failing database accepts nothing and reports it', async (t) => {
    const office = await opened(t)
    const browser = new KeptSession()
    const { code, link } = await office.ask(browser)
    await office.site.database.run(sql`DROP TABLE mail_sign_ins`)
    assert.equal(await office.type(browser, code), null)
    assert.equal(await office.press(browser, link), null)
    assert.equal(office.site.reported.length, 2)
    await assert.rejects(office.ask(browser), { name: 'DatabaseError' })
  })
})
