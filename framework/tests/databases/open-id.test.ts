import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Environments } from '../../src/settings/environments.ts'
import { openIssuers } from '../../src/accounts/openid/open-issuers.ts'
import { Purposes } from '../../src/accounts/tokens/token.ts'
import { Tokens } from '../../src/accounts/tokens/tokens.ts'
import { sql } from '../../src/database/sql/plan/statement.ts'
import { AuthSite } from '../conformance/auth-site.ts'
import { password } from '../conformance/auth-visitor.ts'
import type { AuthVisitor } from '../conformance/auth-visitor.ts'
import { OpenIdSite, siteUrl } from '../support/open-id-site.ts'
import { someKey } from '../support/some-key.ts'
import { onEveryDatabase } from '../support/test-databases.ts'
import { TestFactor } from '../support/test-factor.ts'
import { TestIssuer } from '../support/test-issuer.ts'

let company: TestIssuer
let other: TestIssuer
before(async () => {
  company = await TestIssuer.start({ site: siteUrl })
  other = await TestIssuer.start({ site: siteUrl, name: 'other', emailInToken: true })
})
after(() => Promise.all([company.close(), other.close()]))

let people = 0

/** Somebody new with an account at an issuer, who is the one that signs in there. */
function newPerson(at: TestIssuer = company): { sub: string; email: string } {
  people += 1
  const person = { sub: `Person-${people}`, email: `new${people}@example.com` }
  at.person = { ...person, email_verified: true }
  return person
}

onEveryDatabase((_, open) => {
  const factor = new TestFactor()
  let opened: Promise<OpenIdSite> | null = null

  function openedSite(): Promise<OpenIdSite> {
    opened ??= build(company.values())
    return opened
  }

  async function build(values: Readonly<Record<string, string | boolean>>): Promise<OpenIdSite> {
    const all = { ...other.values('other'), ...values }
    const issuers = await openIssuers(all, { environment: Environments.Test })
    const gate = { factors: [factor] }
    const sessions = { key: someKey() }
    const site = await AuthSite.on(await open(null), { load: true, activity: true, gate, sessions })
    return OpenIdSite.on(site, issuers)
  }

  /** Goes to the issuer and comes back; resolves with the outcome. */
  async function comes(browser: AuthVisitor, at: TestIssuer = company): Promise<string> {
    const place = await openedSite()
    const url = await place.begin(browser, at === company ? 'company' : 'other')
    return place.back(browser, await at.visit(url))
  }

  async function rowsOf(table: string): Promise<number> {
    const { site } = await openedSite()
    const [row] = await site.database.rows(sql`SELECT COUNT(*) AS n FROM ${sql.name(table)}`)
    return Number(row?.['n'])
  }

  /** An account with a password. */
  async function account(email: string, isVerified: boolean): Promise<string> {
    const { users } = (await openedSite()).site
    const id = (await users.enroll(email, password)) ?? assert.fail()
    if (isVerified) await users.confirm(id)
    return id
  }

  test('somebody new gets a verified account without a password, and comes back to it', async () => {
    const { site } = await openedSite()
    const { email } = newPerson()
    const browser = site.visitor()
    assert.equal(await comes(browser), 'complete')
    const identity = await site.users.fetch(email)
    assert.equal(identity?.verified, true)
    assert.equal(await browser.is(), identity?.id)
    assert.equal(await site.users.hasPassword(identity?.id ?? ''), false)
    const again = site.visitor()
    assert.equal(await comes(again), 'complete')
    assert.equal(await again.is(), identity?.id)
    const { rows } = (await site.activity?.list(identity?.id ?? '')) ?? assert.fail()
    assert.deepEqual(
      rows.map(({ event, method }) => [event, method]),
      [
        ['login', 'oidc'],
        ['registered', 'oidc'],
      ],
    )
  })

  test('what a guest begins costs no row', async () => {
    const place = await openedSite()
    const before = await rowsOf('sessions')
    const browser = place.site.visitor()
    for (const name of ['company', 'other', 'company']) await place.begin(browser, name)
    assert.equal(await rowsOf('sessions'), before)
    assert.deepEqual(Object.keys(Object(await browser.sees('oidc'))).toSorted(), [
      'company',
      'other',
    ])
  })

  test('the second factor of the account is still asked for', async () => {
    const { site } = await openedSite()
    const { email } = newPerson()
    await comes(site.visitor())
    const id = (await site.users.fetch(email))?.id ?? ''
    await site.users.setFactor(id, 'test', true)
    const browser = site.visitor()
    assert.equal(await comes(browser), 'pending')
    assert.equal(await browser.is(), null)
    await browser.post('/factor/test', { code: factor.code(id) })
    assert.equal(await browser.is(), id)
  })

  test('a token with another nonce is refused', async () => {
    const place = await openedSite()
    newPerson()
    const browser = place.site.visitor()
    const url = new URL(await place.begin(browser, 'company'))
    url.searchParams.set('nonce', 'of-another-attempt')
    assert.equal(await place.back(browser, await company.visit(url.href)), 'failed')
    assert.equal(place.reasons.at(-1), 'failed-nonce')
    assert.equal(await browser.is(), null)
  })

  test('a response of one issuer is not taken for that of another', async () => {
    const place = await openedSite()
    newPerson(other)
    const browser = place.site.visitor()
    const begun = new URL(await place.begin(browser, 'company'))
    const foreign = await other.visit(await place.begin(browser, 'other'))
    const asked = company.asked.length
    const mixed = new URL(foreign)
    mixed.pathname = '/login/oidc/company/callback'
    mixed.searchParams.set('state', begun.searchParams.get('state') ?? '')
    assert.equal(await place.back(browser, mixed), 'failed')
    assert.equal(place.reasons.at(-1), 'failed-OAUTH_INVALID_RESPONSE')
    assert.equal(company.asked.length, asked, 'the code of the other issuer was not sent to it')
    // With its own state the response still works where it belongs, and nowhere else.
    const wrong = new URL(foreign)
    wrong.pathname = '/login/oidc/company/callback'
    assert.equal(await place.back(browser, wrong), 'expired')
    assert.equal(await place.back(browser, foreign), 'complete')
  })

  test('a code is redeemed once, and a response works once', async () => {
    const place = await openedSite()
    newPerson()
    const browser = place.site.visitor()
    const returned = await company.visit(await place.begin(browser, 'company'))
    const thief = browser.copy()
    assert.equal(await place.back(browser, returned), 'complete')
    const id = await browser.is()
    assert.equal(await place.back(browser, returned), 'expired')
    assert.equal(await browser.is(), id)
    // Even with a copy of the cookie from before.
    assert.equal(await place.back(thief, returned), 'failed')
    assert.equal(place.reasons.at(-1), 'failed-invalid_grant')
    assert.equal(await thief.is(), null)
    // And with the state of another attempt.
    const next = new URL(await place.begin(thief, 'company'))
    const replayed = new URL(returned)
    replayed.searchParams.set('state', next.searchParams.get('state') ?? '')
    assert.equal(await place.back(thief, replayed), 'failed')
  })

  test('a response counts in the browser that began, for ten minutes, and only with its state', async () => {
    const place = await openedSite()
    newPerson()
    const browser = place.site.visitor()
    const returned = await company.visit(await place.begin(browser, 'company'))
    assert.equal(await place.back(place.site.visitor(), returned), 'expired')
    const forged = new URL(returned)
    forged.searchParams.set('state', 'forged')
    assert.equal(await place.back(browser, forged), 'expired')
    const { clock } = place.site
    clock.now += 600
    assert.equal(await place.back(browser, returned), 'expired')
    assert.equal(await browser.is(), null)
  })

  test('whoever cancels at the issuer is told so, calmly', async (t) => {
    const place = await openedSite()
    newPerson()
    company.denies = true
    t.after(() => {
      company.denies = false
    })
    assert.equal(await comes(place.site.visitor()), 'denied')
    assert.equal(place.reasons.at(-1), 'denied-access_denied')
  })

  test('an e-mail that both sides have verified links the account, and its owner is told', async () => {
    const { site, events } = await openedSite()
    const { email } = newPerson(other)
    const id = await account(email, true)
    const browser = site.visitor()
    assert.equal(await comes(browser, other), 'complete')
    assert.equal(await browser.is(), id)
    assert.deepEqual([events.at(-1)?.[0], events.at(-1)?.[1].user], ['IdentityLinked', id])
    const { rows } = (await site.activity?.list(id)) ?? assert.fail()
    assert.deepEqual(
      rows.map(({ event, method }) => [event, method]),
      [
        ['login', 'oidc'],
        ['identity_linked', 'other'],
      ],
    )
  })

  test('an e-mail that the issuer has not verified, or is not trusted with, leads to no account', async () => {
    const place = await openedSite()
    const { sub, email } = newPerson()
    const id = await account(email, true)
    for (const claims of [{ email_verified: false }, {}]) {
      company.person = { sub, email, ...claims }
      assert.equal(await comes(place.site.visitor()), 'email')
    }
    company.person = { sub }
    assert.equal(await comes(place.site.visitor()), 'email')
    assert.deepEqual(await place.identities.list(id), [])
    const untrusting = await build({ ...company.values(), OIDC_COMPANY_TRUST_EMAIL: false })
    company.person = { sub, email, email_verified: true }
    const browser = untrusting.site.visitor()
    const returned = await company.visit(await untrusting.begin(browser, 'company'))
    assert.equal(await untrusting.back(browser, returned), 'email')
    assert.equal(await untrusting.site.users.fetch(email), null)
  })

  test('whoever has registered the address of somebody else gains nothing', async () => {
    const { site, identities, events } = await openedSite()
    const { email } = newPerson()
    const id = await account(email, false)
    const attacker = await site.signedIn({ email })
    const told = events.length
    assert.equal(await comes(site.visitor()), 'unverified')
    assert.deepEqual(await identities.list(id), [])
    assert.equal((await site.users.find(id))?.verified, false)
    assert.deepEqual(
      events.slice(told).map(([name]) => name),
      ['Failed'],
    )
    // The victim takes the account back by mail: password and sessions of the attacker are gone.
    const { value } = await new Tokens(site.database, { clock: () => site.clock.now }).mint(
      id,
      Purposes.Recovery,
    )
    assert.equal(await site.credentials.reset(value, 'a password of the owner'), id)
    assert.equal(await attacker.is(), null)
    const victim = site.visitor()
    assert.equal(await comes(victim), 'complete')
    assert.equal(await victim.is(), id)
  })

  test('nor if a mail scanner has opened the link: they are neither let in nor linked', async () => {
    const place = await openedSite()
    const { site, identities } = place
    const { email } = newPerson()
    const id = await account(email, false)
    const { value } = await new Tokens(site.database, { clock: () => site.clock.now }).mint(
      id,
      Purposes.Verification,
    )
    assert.equal(await site.credentials.verifyEmail(value), id)
    assert.equal((await site.users.find(id))?.verified, true)
    assert.equal(await comes(site.visitor()), 'unverified')
    const attacker = await site.signedIn({ email })
    const returned = await company.visit(await place.begin(attacker, 'company', '/link'))
    assert.equal(await place.back(attacker, returned), 'unverified')
    assert.deepEqual(await identities.list(id), [])
    assert.equal(await site.users.confirm(id), true)
    assert.equal(await comes(site.visitor()), 'complete')
  })

  test('an issuer that gives an old e-mail to somebody new does not lead them to the old account', async () => {
    const { site } = await openedSite()
    const { email } = newPerson()
    await comes(site.visitor())
    company.person = { sub: 'successor', email, email_verified: true }
    assert.equal(await comes(site.visitor()), 'taken')
  })

  test('of several that sign in for the first time at once, one makes the account and all have it', async () => {
    const place = await openedSite()
    const { email } = newPerson()
    const browsers = Array.from({ length: 6 }, () => place.site.visitor())
    const returned = await Promise.all(
      browsers.map(async (browser) => company.visit(await place.begin(browser, 'company'))),
    )
    const before = await rowsOf('users')
    const outcomes = await Promise.all(
      browsers.map((browser, at) => place.back(browser, returned[at] ?? assert.fail())),
    )
    assert.deepEqual(new Set(outcomes), new Set(['complete']))
    assert.equal(await rowsOf('users'), before + 1)
    const identity = (await place.site.users.fetch(email)) ?? assert.fail()
    const found = await Promise.all(browsers.map((browser) => browser.is()))
    assert.deepEqual(new Set(found), new Set([identity.id]))
    assert.equal((await place.identities.list(identity.id)).length, 1)
  })

  test('of several accounts that link one identity at once, one gets it', async () => {
    const place = await openedSite()
    const [issuer] = place.openId.issuers
    assert.ok(issuer !== undefined)
    const ids = await Promise.all(
      Array.from({ length: 5 }, (_none, at) => account(`racer${at}.${people}@example.com`, true)),
    )
    const subject = { subject: `raced-${people}` }
    const outcomes = await Promise.all(
      ids.map((id) => place.openId.accounts.link(id, issuer, subject, { keep: null })),
    )
    assert.equal(outcomes.filter((outcome) => outcome === null).length, 1)
    assert.equal(outcomes.filter((outcome) => outcome === 'elsewhere').length, 4)
  })

  test('an identity is linked from inside, by whoever began it, and unlinked again', async () => {
    const place = await openedSite()
    const { site, openId } = place
    const { email } = newPerson()
    const id = await account(`own.${email}`, true)
    const browser = await site.signedIn({ email: `own.${email}` })
    const returned = await company.visit(await place.begin(browser, 'company', '/link'))
    // Another browser links nothing, nor this one once nobody is signed in there.
    assert.equal(await place.back(await site.signedIn(), returned), 'expired')
    const left = await site.signedIn({ email: `own.${email}` })
    const late = await company.visit(await place.begin(left, 'company', '/link'))
    await left.post('/vanish')
    assert.equal(await place.back(left, late), 'expired')
    assert.equal(await place.back(browser, returned), 'linked')
    assert.equal(await browser.is(), id)
    const elsewhere = site.visitor()
    assert.equal(await comes(elsewhere), 'complete')
    assert.equal(await elsewhere.is(), id)
    const issuer = openId.issuers.find(({ name }) => name === 'company')
    assert.ok(issuer !== undefined)
    const keep = { keep: null, device: null }
    assert.equal(await openId.accounts.unlink(id, issuer, keep), 'unlinked')
    assert.equal(await openId.accounts.unlink(id, issuer, keep), null)
    assert.equal(await elsewhere.is(), null, 'what it has begun is ended')
    const { rows } = (await site.activity?.list(id)) ?? assert.fail()
    assert.deepEqual(
      rows.map(({ event }) => event),
      ['identity_unlinked', 'login', 'identity_linked', 'login', 'login'],
    )
  })

  test('an account whose e-mail is not verified links nothing', async () => {
    const place = await openedSite()
    const { email } = newPerson()
    await account(`own.${email}`, false)
    const browser = await place.site.signedIn({ email: `own.${email}` })
    const returned = await company.visit(await place.begin(browser, 'company', '/link'))
    assert.equal(await place.back(browser, returned), 'unverified')
  })

  test('the last way in cannot be unlinked, even if the last two go at once', async () => {
    const place = await openedSite()
    const { site, openId, identities } = place
    const { email } = newPerson()
    await comes(site.visitor())
    const id = (await site.users.fetch(email))?.id ?? ''
    const [one, two] = openId.issuers
    assert.ok(one !== undefined && two !== undefined)
    const first = [one, two].find(({ name }) => name === 'company') ?? one
    const keep = { keep: null, device: null }
    assert.equal(await openId.accounts.unlink(id, first, keep), 'last')
    await identities.add(id, (first === one ? two : one).key, 'second')
    const outcomes = await Promise.all(
      [one, two].map((issuer) => openId.accounts.unlink(id, issuer, keep)),
    )
    assert.deepEqual(new Set(outcomes), new Set(['last', 'unlinked']))
    assert.equal((await identities.list(id)).length, 1)
  })

  test('no table holds a code or the secret of the site', async () => {
    const { site } = await openedSite()
    const tables = ['users', 'sessions', 'account_activity', 'openid_identities', 'tokens']
    for (const table of tables) {
      const rows = await site.database.rows(sql`SELECT * FROM ${sql.name(table)}`)
      const text = rows.flatMap((row) => Object.values(row).map(String)).join('\n')
      for (const secret of [...company.codes, ...other.codes, company.clientSecret]) {
        assert.ok(!text.includes(secret), table)
      }
    }
    assert.ok(company.codes.length > 10)
    assert.deepEqual(site.reported, [])
  })

  test('subjects that differ in case or accents are different people', async () => {
    const { identities } = await openedSite()
    assert.ok(await identities.add('901', 'https://a.example/', 'Ada'))
    assert.ok(await identities.add('902', 'https://a.example/', 'ada'))
    assert.ok(await identities.add('903', 'https://b.example/', 'Ada'))
    assert.equal(await identities.add('904', 'https://a.example/', 'Ada'), false)
    assert.equal(await identities.add('901', 'https://a.example/', 'other'), false)
    assert.equal(await identities.owner('https://a.example/', 'ada'), '902')
    assert.equal(await identities.owner('https://a.example/', 'ADA'), null)
    assert.equal(await identities.forget('901'), 1)
  })
})
