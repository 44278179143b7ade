import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { stateOf } from '../../src/accounts/identity.ts'
import type { PasskeysOptions } from '../../src/accounts/passkeys/passkeys.ts'
import { sql } from '../../src/database/sql/plan/statement.ts'
import { TestAuthenticator } from '../../src/accounts/passkeys/passkey-testing.ts'
import { someKey } from '../support/some-key.ts'
import { onEveryDatabase } from '../support/test-databases.ts'
import { AuthenticatorSite, createTables } from './authenticator-site.ts'

const origin = 'https://shop.example'
const binding = 'ab'.repeat(32)
const keepNothing = { keep: null, device: null, peer: '203.0.113.9', agent: 'Phone' }

onEveryDatabase((_, open) => {
  const opened = async (t: TestContext, options: Partial<PasskeysOptions> = {}) => {
    const database = await open(t)
    await createTables(database)
    const site = new AuthenticatorSite(database, someKey(), options)
    return { site, ada: await site.person('ada@x.org') }
  }
  type Site = AuthenticatorSite
  type Person = Awaited<ReturnType<Site['person']>>

  const add = async ({ passkeys }: Site, person: Person, browser: TestAuthenticator, name = '') => {
    const options = await passkeys.creationOptions(person, binding)
    const credential = browser.create(options)
    return passkeys.register(person.id, { credential, name, binding }, keepNothing)
  }

  /** Signs in; the account, or null. */
  const enter = async ({ passkeys }: Site, browser: TestAuthenticator, change = sameText) => {
    const options = await passkeys.requestOptions({ purpose: 'enter', binding })
    const credential = change(browser.get(options))
    return (await passkeys.identify({ credential, binding, peer: '203.0.113.9' }))?.user ?? null
  }

  const prove = async (
    { passkeys }: Site,
    user: string,
    browser: TestAuthenticator,
    purpose: 'sign-in' | 'confirm' = 'sign-in',
  ) => {
    const options = await passkeys.requestOptions({ purpose, binding, user })
    const fields = { credential: browser.get(options) }
    return passkeys.verify({ user, fields, binding, purpose, peer: '203.0.113.9' })
  }

  const factorsOf = async ({ users }: Site, user: string) =>
    stateOf((await users.find(user)) ?? {})?.factors

  test('a passkey is registered, signs in, completes and confirms, and shows its last use', async (t) => {
    const { site, ada } = await opened(t)
    const phone = new TestAuthenticator({ origin })
    assert.equal(await site.passkeys.isEnrolled(ada.id), false)
    const added = await add(site, ada, phone, '  My phone  ')
    const facts = { name: 'My phone', verifies: true, synced: false, created: site.clock.now }
    assert.partialDeepStrictEqual(added, { ...facts, used: null })
    assert.deepEqual(await site.passkeys.list(ada.id), [added])
    assert.equal(await site.passkeys.isEnrolled(ada.id), true)
    assert.deepEqual(await factorsOf(site, ada.id), ['passkey'])
    site.clock.now += 60
    assert.equal(await enter(site, phone), ada.id)
    assert.equal((await site.passkeys.list(ada.id))[0]?.used, site.clock.now)
    assert.equal(await prove(site, ada.id, phone), true)
    assert.equal(await prove(site, ada.id, phone, 'confirm'), true)
    assert.deepEqual(site.reported, [])
  })

  test('the browser is asked for what is checked later', async (t) => {
    const { site, ada } = await opened(t)
    const creation = Object(await site.passkeys.creationOptions(ada, binding))
    assert.deepEqual(creation.rp, { id: 'shop.example', name: 'Shop' })
    assert.deepEqual([creation.attestation, creation.excludeCredentials], ['none', []])
    assert.equal(creation.authenticatorSelection.residentKey, 'preferred')
    const { id: handle } = creation.user
    assert.match(handle, /^[\w-]{43}$/)
    assert.doesNotMatch(Buffer.from(handle, 'base64url').toString('latin1'), /ada/)
    const bob = await site.person('bob@x.org')
    assert.notEqual(Object(await site.passkeys.creationOptions(bob, binding)).user.id, handle)
    const phone = new TestAuthenticator({ origin })
    await add(site, ada, phone)
    const again = Object(await site.passkeys.creationOptions(ada, binding))
    const [{ id } = { id: '' }] = phone.credentials
    assert.deepEqual(again.excludeCredentials, [
      { type: 'public-key', id, transports: ['internal'] },
    ])
    assert.equal(again.user.id, handle)
    for (const [purpose, verification] of [
      ['enter', 'required'],
      ['sign-in', 'preferred'],
      ['confirm', 'required'],
    ] as const) {
      const own = purpose === 'enter' ? {} : { user: ada.id }
      const asked = Object(await site.passkeys.requestOptions({ purpose, binding, ...own }))
      assert.deepEqual([asked.rpId, asked.userVerification], ['shop.example', verification])
      assert.equal(asked.allowCredentials.length, purpose === 'enter' ? 0 : 1)
    }
  })

  test('an authenticator that does not verify its user is good for the second step only', async (t) => {
    const { site, ada } = await opened(t)
    const stick = new TestAuthenticator({ origin, verifies: false })
    assert.equal((await add(site, ada, stick))?.verifies, false)
    assert.equal(await enter(site, stick), null)
    assert.equal(await prove(site, ada.id, stick, 'confirm'), false)
    assert.equal(await prove(site, ada.id, stick), true)
    // It got a PIN.
    stick.verifies = true
    assert.equal(await enter(site, stick), ada.id)
    assert.equal((await site.passkeys.list(ada.id))[0]?.verifies, true)
  })

  test('the answer to a challenge is accepted once, from its session and within five minutes', async (t) => {
    const { site, ada } = await opened(t)
    const phone = new TestAuthenticator({ origin })
    await add(site, ada, phone)
    const { passkeys } = site
    const options = await passkeys.requestOptions({ purpose: 'enter', binding })
    const credential = phone.get(options)
    assert.equal(await passkeys.identify({ credential, binding: 'cd'.repeat(32) }), null)
    assert.equal(await passkeys.identify({ credential, binding: '' }), null)
    assert.equal((await passkeys.identify({ credential, binding }))?.user, ada.id)
    assert.equal(await passkeys.identify({ credential, binding }), null)
    // Not even with a new signature, by this passkey or another one.
    assert.equal(await passkeys.identify({ credential: phone.get(options), binding }), null)
    const stick = new TestAuthenticator({ origin })
    await add(site, ada, stick)
    assert.equal(await passkeys.identify({ credential: stick.get(options), binding }), null)
    const late = phone.get(await passkeys.requestOptions({ purpose: 'enter', binding }))
    site.clock.now += 300
    assert.equal(await passkeys.identify({ credential: late, binding }), null)
    assert.equal(await passkeys.sweep(), 3)
    assert.equal(await enter(site, phone), ada.id)
  })

  test('a challenge of the second step neither signs in nor confirms', async (t) => {
    const { site, ada } = await opened(t)
    const { passkeys } = site
    // Not even one that was answered by an authenticator that has verified its user.
    for (const verifies of [false, true]) {
      const stick = new TestAuthenticator({ origin, verifies })
      await add(site, ada, stick)
      const step = { purpose: 'sign-in', binding, user: ada.id } as const
      const credential = stick.get(await passkeys.requestOptions(step))
      const attempt = { user: ada.id, fields: { credential }, binding, peer: '' }
      assert.equal(await passkeys.identify({ credential, binding }), null)
      assert.equal(await passkeys.verify({ ...attempt, purpose: 'confirm' }), false)
      assert.equal(await passkeys.verify({ ...attempt, purpose: 'sign-in' }), true)
    }
  })

  test('pages of another site, changed data and passkeys of somebody else are refused', async (t) => {
    const { site, ada } = await opened(t)
    const bob = await site.person('bob@x.org')
    const phone = new TestAuthenticator({ origin })
    const theirs = new TestAuthenticator({ origin })
    await add(site, ada, phone)
    await add(site, bob, theirs)
    phone.origin = 'https://shop.example.evil'
    assert.equal(await enter(site, phone), null)
    phone.origin = 'http://shop.example'
    assert.equal(await enter(site, phone), null)
    phone.origin = origin
    phone.isFramed = true
    assert.equal(await enter(site, phone), null)
    phone.isFramed = false
    const { passkeys } = site
    const foreign = Object(await passkeys.requestOptions({ purpose: 'enter', binding }))
    const credential = phone.get({ ...foreign, rpId: 'evil.example' })
    assert.equal(await passkeys.identify({ credential, binding }), null)
    for (const change of [
      (text: string) => withMember(text, 'signature', flipped),
      (text: string) => withMember(text, 'authenticatorData', flipped),
      (text: string) =>
        withMember(text, 'userHandle', () => theirs.credentials[0]?.userHandle ?? ''),
      (text: string) => withMember(text, 'userHandle', () => ''),
      (text: string) => withMember(text, 'clientDataJSON', foreignPage),
      (text: string) => JSON.stringify({ ...JSON.parse(text), id: theirs.credentials[0]?.id }),
      () => '',
    ]) {
      assert.equal(await enter(site, phone, change), null)
    }
    const step = { purpose: 'sign-in', binding, user: ada.id } as const
    const { allowCredentials: _, ...open } = Object(await passkeys.requestOptions(step))
    const fields = { credential: theirs.get(open) }
    const attempt = { user: ada.id, fields, binding, purpose: 'sign-in', peer: '' } as const
    assert.equal(await passkeys.verify(attempt), false)
    assert.equal(await enter(site, phone), ada.id)
    assert.equal(
      site.told.some(([name]) => name === 'PasskeyCopied'),
      false,
    )
  })

  test('a passkey is added once, by the account and session it was made for', async (t) => {
    const { site, ada } = await opened(t)
    const bob = await site.person('bob@x.org')
    const phone = new TestAuthenticator({ origin })
    const { passkeys } = site
    const options = await passkeys.creationOptions(ada, binding)
    const credential = phone.create(options)
    const registration = { credential, name: 'Phone', binding }
    for (const [user, change] of [
      [bob.id, {}],
      [ada.id, { binding: 'cd'.repeat(32) }],
      [ada.id, { credential: JSON.stringify({ ...JSON.parse(credential), id: 'b3RoZXI' }) }],
      [ada.id, { credential: withMember(credential, 'clientDataJSON', foreignPage) }],
      [ada.id, { credential: 'nonsense' }],
    ] as const) {
      const refused = { ...registration, ...change }
      assert.equal(await passkeys.register(user, refused, keepNothing), null)
    }
    assert.notEqual(await passkeys.register(ada.id, registration, keepNothing), null)
    assert.equal(await passkeys.register(ada.id, registration, keepNothing), null)
    // Bob presents it as his, for a challenge of his own: the id is taken.
    const his = new TestAuthenticator({ origin }).create(
      await passkeys.creationOptions(bob, binding),
    )
    const { clientDataJSON } = JSON.parse(his).response
    const copy = withMember(credential, 'clientDataJSON', () => clientDataJSON)
    const taken = { credential: copy, name: 'Copy', binding }
    assert.equal(await passkeys.register(bob.id, taken, keepNothing), null)
    assert.deepEqual([await factorsOf(site, bob.id), await passkeys.list(bob.id)], [[], []])
    assert.equal((await passkeys.list(ada.id)).length, 1)
  })

  test('one whose counter does not grow is refused and its owner told; one without a counter is not', async (t) => {
    const { site, ada } = await opened(t)
    const stick = new TestAuthenticator({ origin, counts: true })
    await add(site, ada, stick)
    assert.equal(await enter(site, stick), ada.id)
    assert.equal(await enter(site, stick), ada.id)
    const [credential] = stick.credentials
    assert.ok(credential)
    for (const [counter, purpose] of [
      [2, 'enter'],
      [0, 'step'],
      [-1, 'enter'],
    ] as const) {
      // What it says next is one more.
      credential.counter = counter
      const isRefused =
        purpose === 'enter'
          ? (await enter(site, stick)) === null
          : !(await prove(site, ada.id, stick))
      assert.ok(isRefused, `${counter}`)
    }
    const copied = site.told.filter(([name]) => name === 'PasskeyCopied')
    assert.equal(copied.length, 3)
    assert.partialDeepStrictEqual(copied[0]?.[1], { user: ada.id, method: 'passkey' })
    const { rows } = await site.activity.list(ada.id)
    assert.equal(rows.filter(({ event }) => event === 'passkey_copied').length, 3)
    credential.counter = 3
    assert.equal(await enter(site, stick), ada.id)
  })

  test('adding one more ends nothing; removing any ends what it may have begun, and the last one the factor', async (t) => {
    const { site, ada } = await opened(t)
    const browsers = [new TestAuthenticator({ origin }), new TestAuthenticator({ origin })]
    const signIn = async (): Promise<string> => {
      const digest = randomBytes(32).toString('hex')
      const row = { data: '{}', identity: ada.id, device: null, created: 1, used: 1 }
      await site.sessions.create(digest, { ...row, expires: 9e9, agent: '', peer: '' })
      return digest
    }
    const device = await site.trust.issue(ada.id, 3600)
    const session = await signIn()
    const passkeys = []
    for (const browser of browsers) passkeys.push(await add(site, ada, browser))
    assert.notEqual(await site.sessions.read(session), null)
    assert.equal(await site.trust.isLive(device.selector), true)
    const own = await signIn()
    const kept = { ...keepNothing, keep: own }
    assert.equal(await site.passkeys.remove(ada.id, 'no such one', kept), false)
    const foreign = site.passkeys.remove('999', passkeys[0]?.handle ?? '', kept)
    await assert.rejects(foreign, { code: 'E_SESSION_ENDED' })
    assert.notEqual(await site.sessions.read(session), null)
    assert.equal(await site.passkeys.remove(ada.id, passkeys[0]?.handle ?? '', kept), true)
    assert.equal(await site.sessions.read(session), null)
    assert.notEqual(await site.sessions.read(own), null)
    assert.equal(await site.trust.isLive(device.selector), false)
    assert.deepEqual(await factorsOf(site, ada.id), ['passkey'])
    assert.equal(await enter(site, browsers[0] ?? assert.fail()), null)
    assert.equal(await enter(site, browsers[1] ?? assert.fail()), ada.id)
    assert.equal(await site.passkeys.remove(ada.id, passkeys[1]?.handle ?? '', kept), true)
    assert.deepEqual(await factorsOf(site, ada.id), [])
    assert.deepEqual(
      site.told.map(([name, { method }]) => [name, method]),
      [
        ['FactorAdded', 'passkey'],
        ['FactorAdded', 'passkey'],
        ['FactorRemoved', 'passkey'],
        ['FactorRemoved', 'passkey'],
      ],
    )
  })

  test('where passkeys are asked for, the first one ends what it did not protect', async (t) => {
    const { site, ada } = await opened(t, { isAsked: true })
    const device = await site.trust.issue(ada.id, 3600)
    await add(site, ada, new TestAuthenticator({ origin }))
    assert.equal(await site.trust.isLive(device.selector), false)
    const later = await site.trust.issue(ada.id, 3600)
    await add(site, ada, new TestAuthenticator({ origin }))
    assert.equal(await site.trust.isLive(later.selector), true)
  })

  test('an account has at most so many, also when two are added at once', async (t) => {
    const { site, ada } = await opened(t, { maxPasskeys: 2 })
    const { passkeys } = site
    await add(site, ada, new TestAuthenticator({ origin }))
    const made = await Promise.all(
      [1, 2, 3].map(async () => {
        const options = await passkeys.creationOptions(ada, binding)
        return new TestAuthenticator({ origin }).create(options)
      }),
    )
    const added = await Promise.all(
      made.map((credential) =>
        passkeys.register(ada.id, { credential, name: '', binding }, keepNothing),
      ),
    )
    assert.equal(added.filter((one) => one !== null).length, 1)
    assert.equal((await passkeys.list(ada.id)).length, 2)
    assert.equal(await passkeys.creationOptions(ada, binding), null)
    assert.equal(await passkeys.disable(ada.id, keepNothing), true)
    assert.equal(await passkeys.disable(ada.id, keepNothing), false)
    assert.deepEqual(await passkeys.list(ada.id), [])
  })

  test('a deleted account takes its passkeys with it, in its transaction', async (t) => {
    const { site, ada } = await opened(t)
    await add(site, ada, new TestAuthenticator({ origin }))
    const { passkeys } = site
    let seen: unknown[] = []
    await site.database
      .transaction(async (transaction) => {
        seen = [await passkeys.forget(ada.id, transaction)]
        seen.push(await passkeys.isEnrolled(ada.id, transaction), await passkeys.isEnrolled(ada.id))
        throw new Error('undone')
      })
      .catch(() => {})
    assert.deepEqual(seen, [1, false, true])
    assert.equal((await site.passkeys.list(ada.id)).length, 1)
    assert.equal(await site.passkeys.forget(ada.id), 1)
  })

  test('a failing database accepts nothing, and is reported', async (t) => {
    const { site, ada } = await opened(t)
    const phone = new TestAuthenticator({ origin })
    await add(site, ada, phone)
    const options = await site.passkeys.requestOptions({ purpose: 'enter', binding })
    await site.database.run(sql`DROP TABLE passkey_challenges`)
    const credential = phone.get(options)
    assert.equal(await site.passkeys.identify({ credential, binding }), null)
    assert.equal(site.reported.length, 1)
    await site.database.run(sql`DROP TABLE passkeys`)
    assert.equal(await prove(site, ada.id, phone).catch(() => 'thrown'), 'thrown')
  })
})

function sameText(text: string): string {
  return text
}

/** The credential with a member of its response changed. */
function withMember(text: string, name: string, change: (value: string) => string): string {
  const credential = JSON.parse(text)
  const response = { ...credential.response, [name]: change(credential.response[name]) }
  return JSON.stringify({ ...credential, response })
}

/** Bytes with the last bit changed. */
function flipped(value: string): string {
  const bytes = Buffer.from(value, 'base64url')
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1
  return bytes.toString('base64url')
}

/** Client data of a page of another site. */
function foreignPage(value: string): string {
  const data = JSON.parse(Buffer.from(value, 'base64url').toString())
  const changed = JSON.stringify({ ...data, origin: 'https://evil.example' })
  return Buffer.from(changed).toString('base64url')
}
