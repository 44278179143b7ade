import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { AuthEvents } from '../../src/accounts/auth-events.ts'
import { stateOf } from '../../src/accounts/identity.ts'
import { EmailChange } from '../../src/accounts/changes/email-change.ts'
import type { ChangedEmail } from '../../src/accounts/changes/email-change.ts'
import { createEmailChangesTable } from '../../src/accounts/changes/email-change.ts'
import { oneTimeCode, timeStep } from '../../src/accounts/factors/one-time-code.ts'
import { OpenIdAccounts } from '../../src/accounts/openid/open-id-accounts.ts'
import { Purposes } from '../../src/accounts/tokens/token.ts'
import { fromBase32 } from '../../src/base/encoding/base32.ts'
import { Schema } from '../../src/migrations/schema.ts'
import { TestAuthenticator } from '../../src/accounts/passkeys/passkey-testing.ts'
import { onEveryDatabase } from '../support/test-databases.ts'
import { AuthenticatorSite, createTables as createFactorTables } from './authenticator-site.ts'
import { createTables, MailboxSite } from './mailbox-site.ts'
import type { Owner } from './mailbox-site.ts'

const hour = 3600
const anywhere = { keep: null, device: null }

/** No session asks. */
const by = { keep: null }

onEveryDatabase((_, open) => {
  async function opened(t: TestContext): Promise<MailboxSite> {
    const database = await open(t, 'pool=8')
    await createTables(database)
    return new MailboxSite(database)
  }

  /** Changes the e-mail of an owner. */
  async function changed(site: MailboxSite, owner: Owner, email: string) {
    const made = await site.complete(owner, await site.asked(owner, email))
    return undoable(made)
  }

  function undoable(made: ChangedEmail | 'taken' | null) {
    assert.ok(made !== null && made !== 'taken')
    return { ...made, undo: made.undo ?? assert.fail() }
  }

  test('nothing changes before the link is used in the session that asked', async (t) => {
    const site = await opened(t)
    const ada = await site.owner('ada@x.org')
    const before = await site.belongings(ada)
    const { token, binding } = await site.asked(ada, ' Ada@New.org ')
    assert.deepEqual(await site.belongings(ada), { ...before, activity: 1 })
    const here = { user: ada.id, binding }
    assert.deepEqual(await site.emailChange.find(token.value, here), { email: 'ada@new.org' })
    for (const elsewhere of [
      { user: null, binding },
      { user: '999', binding },
      { user: ada.id, binding: null },
      { user: ada.id, binding: `${binding}0` },
    ]) {
      assert.equal(await site.emailChange.find(token.value, elsewhere), 'elsewhere')
    }
    const wrong = { ...anywhere, binding: null }
    assert.equal(await site.emailChange.complete(token.value, ada.id, wrong), null)
    const bob = await site.owner('bob@x.org')
    const foreign = { ...anywhere, binding }
    assert.equal(await site.emailChange.complete(token.value, bob.id, foreign), null)
    assert.equal(await site.emailChange.find('nonsense', here), null)
    // All of these have used nothing up.
    assert.notEqual(await site.complete(ada, { token, binding, email: '', isTaken: false }), null)
  })

  test('a change ends other sessions, devices and links, is recorded and told', async (t) => {
    const site = await opened(t)
    const [ada, bob] = [await site.owner('ada@x.org'), await site.owner('bob@x.org')]
    const bobs = await site.belongings(bob)
    const { email, former } = await changed(site, ada, 'ada@new.org')
    assert.deepEqual([email, former], ['ada@new.org', 'ada@x.org'])
    const left = { email: 'ada@new.org', devices: 0, links: 0, sessions: 1, notes: 1, activity: 2 }
    assert.deepEqual(await site.belongings(ada), left)
    assert.equal((await site.sessions.list(ada.id))[0]?.digest, ada.sessions[0])
    const { rows } = await site.activity.list(ada.id)
    assert.deepEqual(
      rows.map(({ event }) => event),
      ['email_changed', 'email_requested'],
    )
    assert.deepEqual(await site.users.find(ada.id), { id: ada.id, email, verified: true })
    assert.equal(await site.users.check(ada.id, 'a password'), true)
    assert.deepEqual(await site.belongings(bob), bobs)
    assert.deepEqual(
      site.told.map(([event]) => event),
      ['EmailRequested', 'EmailChanged'],
    )
    assert.deepEqual(site.reported, [])
  })

  test('a link is void after an hour, after another request and after a change of password', async (t) => {
    const site = await opened(t)
    const ada = await site.owner('ada@x.org')
    const first = await site.asked(ada, 'first@new.org')
    const second = await site.asked(ada, 'second@new.org')
    assert.equal(await site.complete(ada, first), null)
    await site.credentials.change(ada.id, 'the new one', { keep: ada.sessions[0] })
    assert.equal(await site.complete(ada, second), null)
    const third = await site.asked(ada, 'third@new.org')
    site.clock.now += hour
    const here = { user: ada.id, binding: third.binding }
    assert.equal(await site.emailChange.find(third.token.value, here), null)
    assert.equal(await site.complete(ada, third), null)
    assert.equal((await site.users.find(ada.id))?.email, 'ada@x.org')
    assert.equal(await site.emailChange.sweep(), 1)
  })

  test('a taken address gets the same answer and the same work, and no link works', async (t) => {
    const site = await opened(t)
    const [ada, bob] = [await site.owner('ada@x.org'), await site.owner('bob@x.org')]
    const free = await site.asked(ada, 'free@new.org')
    const taken = await site.asked(ada, bob.email)
    assert.deepEqual([free.isTaken, taken.isTaken], [false, true])
    assert.deepEqual(Object.keys(free), Object.keys(taken))
    // Nobody has got this link; even with it, the unique index refuses.
    assert.equal(await site.complete(ada, taken), 'taken')
    assert.equal((await site.users.find(ada.id))?.email, 'ada@x.org')
    assert.equal((await site.belongings(ada)).sessions, 2)
    assert.equal(await site.emailChange.request(ada.id, 'ADA@x.org', by), null)
    assert.equal(await site.emailChange.request('999', 'free@new.org', by), null)
    await assert.rejects(site.emailChange.request(ada.id, 'nonsense', by), {
      code: 'E_INVALID_ARGUMENT',
    })
  })

  test('of ten concurrent clicks on one link exactly one changes the e-mail', async (t) => {
    const site = await opened(t)
    const ada = await site.owner('ada@x.org')
    const asked = await site.asked(ada, 'ada@new.org')
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => site.complete(ada, asked)))
    assert.equal(outcomes.filter((outcome) => outcome !== null).length, 1)
    assert.equal(site.told.filter(([event]) => event === 'EmailChanged').length, 1)
    assert.deepEqual(site.reported, [])
  })

  test('of eight accounts that take one address at once exactly one gets it', async (t) => {
    const site = await opened(t)
    const owners = await Promise.all(
      Array.from({ length: 8 }, (_, at) => site.owner(`owner${at}@x.org`)),
    )
    const asked = await Promise.all(owners.map((owner) => site.asked(owner, 'wanted@new.org')))
    const outcomes = await Promise.all(
      owners.map((owner, at) => site.complete(owner, asked[at] ?? assert.fail())),
    )
    assert.deepEqual(outcomes.filter((outcome) => outcome === 'taken').length, 7)
    const emails = await Promise.all(
      owners.map(async ({ id }) => (await site.users.find(id))?.email),
    )
    assert.equal(emails.filter((email) => email === 'wanted@new.org').length, 1)
    const kept = await Promise.all(owners.map((owner) => site.belongings(owner)))
    assert.equal(kept.filter(({ sessions }) => sessions === 2).length, 7)
    assert.deepEqual(site.reported, [])
  })

  test('a registration and a change that take one address at once have one winner', async (t) => {
    const site = await opened(t)
    for (let round = 0; round < 5; round += 1) {
      const ada = await site.owner(`ada${round}@x.org`)
      const wanted = `wanted${round}@new.org`
      const asked = await site.asked(ada, wanted)
      const [made, user] = await Promise.all([
        site.complete(ada, asked),
        site.users.enroll(wanted, 'a password'),
      ])
      assert.equal(made === 'taken', user !== null)
      assert.equal((await site.users.fetch(wanted))?.id, user ?? ada.id)
    }
    assert.deepEqual(site.reported, [])
  })

  test('the former mailbox takes the account back, from whoever has it', async (t) => {
    const site = await opened(t)
    const ada = await site.owner('ada@x.org')
    const { undo } = await changed(site, ada, 'thief@new.org')
    const thief = await site.session(ada.id)
    await site.trust.issue(ada.id)
    const reset = await site.tokens.mint(ada.id, Purposes.Recovery)
    const pending = await site.asked(ada, 'other@new.org')
    await site.deletion.request(ada.id, { keep: thief, device: null })
    assert.deepEqual(await site.emailChange.findUndo(undo.value), { email: 'ada@x.org' })
    assert.deepEqual(await site.emailChange.undo(undo.value), { user: ada.id, email: 'ada@x.org' })
    const { activity: _, ...left } = await site.belongings(ada)
    assert.deepEqual(left, { email: 'ada@x.org', devices: 0, links: 0, sessions: 0, notes: 1 })
    assert.equal(await site.users.hasPassword(ada.id), false)
    assert.equal(await site.users.verify('ada@x.org', 'a password'), null)
    assert.equal(await site.credentials.reset(reset.value, 'by the thief'), null)
    await assert.rejects(site.complete(ada, pending), { code: 'E_SESSION_ENDED' })
    assert.equal(await site.deletion.due(ada.id), null)
    assert.equal(await site.emailChange.undo(undo.value), null)
    const own = await site.tokens.mint(ada.id, Purposes.Recovery)
    assert.equal(await site.credentials.reset(own.value, 'by the owner'), ada.id)
    assert.ok(await site.users.verify('ada@x.org', 'by the owner'))
    assert.equal(site.told.filter(([event]) => event === 'EmailRestored').length, 1)
    assert.deepEqual(site.reported, [])
  })

  test('an address that is taken back loses the factors of a thief, and no older app', async (t) => {
    const database = await open(t)
    await createFactorTables(database)
    await database.transaction((transaction) => createEmailChangesTable(new Schema(transaction)))
    const site = new AuthenticatorSite(database)
    const { activity, app, clock, credentials, passkeys, users } = site
    const told: unknown[] = []
    site.emitter.listen(AuthEvents.FactorRemoved, ({ user, method }) => told.push([user, method]))
    const emailChange = new EmailChange(database, {
      clock: () => clock.now,
      credentials,
      users,
      factors: [app, passkeys],
    })
    const enable = async (account: { id: string; email: string }): Promise<void> => {
      const secret = fromBase32((await app.begin(account, by)).secret) ?? assert.fail()
      const code = oneTimeCode(secret, timeStep(clock.now))
      assert.notEqual(await app.enable(account.id, code, anywhere), null)
    }
    const change = async (id: string, email: string): Promise<string> => {
      const asked = (await emailChange.request(id, email, by)) ?? assert.fail()
      const { binding, token } = asked
      const made = await emailChange.complete(token.value, id, { ...anywhere, binding })
      return undoable(made).undo.value
    }
    const factorsOf = async (id: string) => stateOf((await users.find(id)) ?? {})?.factors
    const [ada, bob] = [await site.person('ada@x.org'), await site.person('bob@x.org')]
    for (const { id } of [ada, bob]) await users.confirm(id)

    // The thief of one account adds a passkey, waits, adds an app and then changes the address.
    const binding = 'ab'.repeat(32)
    const phone = new TestAuthenticator({ origin: 'https://shop.example' })
    const credential = phone.create(await passkeys.creationOptions(ada, binding))
    assert.ok(await passkeys.register(ada.id, { credential, name: '', binding }, anywhere))
    await enable(bob)
    clock.now += 73 * hour
    await enable(ada)
    assert.deepEqual(await factorsOf(ada.id), ['passkey', 'totp'])
    clock.now += hour
    const undo = await change(ada.id, 'thief@new.org')
    clock.now += 71 * hour
    assert.notEqual(await emailChange.undo(undo), null)
    assert.deepEqual(await factorsOf(ada.id), [])
    assert.deepEqual([await app.status(ada.id), await passkeys.list(ada.id)], [null, []])
    const { rows } = await activity.list(ada.id)
    const recorded = rows.filter(({ event }) => event === 'factor_removed')
    assert.deepEqual(new Set(recorded.map(({ method }) => method)), new Set(['passkey', 'totp']))
    assert.deepEqual(told, [
      [ada.id, 'totp'],
      [ada.id, 'passkey'],
    ])

    // That of the other has an app of its own since long; only the codes are the thief's.
    const back = await change(bob.id, 'thief@other.org')
    assert.equal((await app.renewCodes(bob.id, by))?.length, 10)
    assert.notEqual(await emailChange.undo(back), null)
    assert.deepEqual(await factorsOf(bob.id), ['totp'])
    assert.equal((await app.status(bob.id))?.codes, 0)
    assert.deepEqual(site.reported, [])
  })

  test('an address that was never verified gets no way back, and is free again', async (t) => {
    const site = await opened(t)
    const id = (await site.users.enroll('typing.error@x.org', 'a password')) ?? assert.fail()
    const { token, binding } =
      (await site.emailChange.request(id, 'ada@x.org', by)) ?? assert.fail()
    const made = await site.emailChange.complete(token.value, id, { ...anywhere, binding })
    assert.deepEqual(made, { email: 'ada@x.org', former: 'typing.error@x.org', undo: null })
    assert.equal(await site.users.isReserved('typing.error@x.org'), false)
    assert.notEqual(await site.users.enroll('typing.error@x.org', 'a password'), null)
  })

  test('of ten concurrent clicks on one undo link exactly one restores', async (t) => {
    const site = await opened(t)
    const ada = await site.owner('ada@x.org')
    const { undo } = await changed(site, ada, 'thief@new.org')
    const outcomes = await Promise.all(
      Array.from({ length: 10 }, () => site.emailChange.undo(undo.value)),
    )
    assert.equal(outcomes.filter((outcome) => outcome !== null).length, 1)
    assert.deepEqual(site.reported, [])
  })

  test('an undo beats a change that is made at the same time, whichever comes first', async (t) => {
    const site = await opened(t)
    for (let round = 0; round < 5; round += 1) {
      const ada = await site.owner(`ada${round}@x.org`)
      const { undo } = await changed(site, ada, `thief${round}@new.org`)
      const again = await site.asked(ada, `again${round}@new.org`)
      // Whose session the undo has ended changes nothing.
      const complete = site.complete(ada, again).catch((error: unknown) => {
        assert.equal(Object(error).code, 'E_SESSION_ENDED')
      })
      await Promise.all([site.emailChange.undo(undo.value), complete])
      const { email, sessions } = await site.belongings(ada)
      assert.deepEqual([email, sessions], [ada.email, 0])
    }
    assert.deepEqual(site.reported, [])
  })

  test('an earlier mailbox beats a later one, and not the other way round', async (t) => {
    const site = await opened(t)
    const ada = await site.owner('ada@x.org')
    const first = await changed(site, ada, 'thief@new.org')
    const second = await changed(site, ada, 'thief@other.org')
    // The thief restores their own address; the owner still wins.
    assert.notEqual(await site.emailChange.undo(second.undo.value), null)
    assert.equal((await site.users.find(ada.id))?.email, 'thief@new.org')
    assert.notEqual(await site.emailChange.undo(first.undo.value), null)
    assert.equal((await site.users.find(ada.id))?.email, 'ada@x.org')

    const bob = await site.owner('bob@x.org')
    const one = await changed(site, bob, 'bob@new.org')
    const two = await changed(site, bob, 'bob@other.org')
    assert.notEqual(await site.emailChange.undo(one.undo.value), null)
    assert.equal(await site.emailChange.undo(two.undo.value), null)
  })

  test('nobody else gets a former address as long as it can be taken back', async (t) => {
    const site = await opened(t)
    const [ada, eve] = [await site.owner('ada@x.org'), await site.owner('eve@x.org')]
    const before = await site.asked(eve, 'eve@new.org')
    const { undo } = await changed(site, ada, 'thief@new.org')
    assert.equal(await site.users.enroll('ada@x.org', 'a password'), null)
    // Not even with the word of somebody else: the link of its owner would find it taken.
    assert.equal(await site.users.enrollVerified('ada@x.org'), null)
    assert.equal(await site.users.fetch('ada@x.org'), null)
    assert.equal(await site.users.isReserved('Ada@X.org'), true)
    assert.equal(await site.users.isReserved('ada@x.org', ada.id), false)
    const squat = await site.asked(eve, 'ada@x.org')
    assert.equal(squat.isTaken, true)
    assert.equal(await site.complete(eve, squat), 'taken')
    assert.equal(await site.complete(eve, before), null)
    // Its own account can go back by an ordinary change.
    assert.equal((await site.asked(ada, 'ada@x.org')).isTaken, false)
    site.clock.now += 72 * hour
    assert.equal(await site.emailChange.findUndo(undo.value), null)
    assert.equal(await site.emailChange.undo(undo.value), null)
    assert.notEqual(await site.users.enroll('ada@x.org', 'a password'), null)
    assert.deepEqual(site.reported, [])
  })

  test('an owner who comes from an issuer gets no new account in the way of the old one', async (t) => {
    const site = await opened(t)
    const ada = await site.owner('ada@x.org')
    const { undo } = await changed(site, ada, 'thief@new.org')
    const { users, credentials } = site
    const accounts = new OpenIdAccounts(site.database, { users, credentials, issuers: [] })
    const issuer = {
      name: 'company',
      label: 'Company',
      key: 'https://company.example/',
      trustsEmail: true,
      registers: true,
      authorizationUrl: () => assert.fail(),
      redeem: () => assert.fail(),
    }
    const subject = { subject: 'ada', email: () => Promise.resolve('ada@x.org') }
    assert.equal(await accounts.enter(issuer, subject), 'closed')
    assert.deepEqual(await site.emailChange.undo(undo.value), { user: ada.id, email: 'ada@x.org' })
  })

  test('a registration at the moment in which an address is freed does not get it', async (t) => {
    const site = await opened(t)
    for (let round = 0; round < 5; round += 1) {
      const ada = await site.owner(`ada${round}@x.org`)
      const asked = await site.asked(ada, `thief${round}@new.org`)
      const [made, ...squats] = await Promise.all([
        site.complete(ada, asked),
        ...Array.from({ length: 4 }, () => site.users.enroll(ada.email, 'a password')),
      ])
      const { undo } = undoable(made)
      assert.deepEqual(squats, [null, null, null, null])
      assert.notEqual(await site.emailChange.undo(undo.value), 'taken')
    }
    assert.deepEqual(site.reported, [])
  })

  test('whichever step fails, nothing is changed and the link stays', async (t) => {
    const site = await opened(t)
    const ada = await site.owner('ada@x.org')
    const asked = await site.asked(ada, 'ada@new.org')
    const before = await site.belongings(ada)
    const { database } = site
    for (const table of ['trusts', 'account_activity']) {
      await database.run({ sql: `ALTER TABLE ${table} RENAME TO away`, parameters: [] })
      await assert.rejects(site.complete(ada, asked), { name: 'DatabaseError' })
      await database.run({ sql: `ALTER TABLE away RENAME TO ${table}`, parameters: [] })
      assert.deepEqual(await site.belongings(ada), before)
    }
    assert.notEqual(await site.complete(ada, asked), null)
  })
})
