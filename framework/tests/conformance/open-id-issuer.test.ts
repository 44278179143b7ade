import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { inspect } from 'node:util'
import { Environments } from '../../src/settings/environments.ts'
import { OpenIdError } from '../../src/accounts/openid/open-id-error.ts'
import type { OpenIdIssuer } from '../../src/accounts/openid/open-id-issuer.ts'
import { openIssuers } from '../../src/accounts/openid/open-issuers.ts'
import type { OpenIssuersOptions } from '../../src/accounts/openid/open-issuers.ts'
import { waitFor } from '../support/wait-for.ts'
import { ScriptedIssuer } from './scripted-issuer.ts'

const attempt = { state: 'the-state', nonce: 'the-nonce', verifier: 'v'.repeat(43) }
const callback = 'https://site.example/login/oidc/test/callback'
const returned = new URL(`${callback}?code=the-code&state=the-state`)
const metadataPath = '/.well-known/openid-configuration'

async function opened(t: TestContext, options: Partial<OpenIssuersOptions> = {}) {
  const scripted = await new ScriptedIssuer().start()
  t.after(() => scripted.close())
  scripted.claims = { nonce: attempt.nonce }
  const clock = { now: 1000 }
  const [issuer] = await openIssuers(scripted.values, {
    environment: Environments.Test,
    clock: () => clock.now,
    ...options,
  })
  return { scripted, issuer: issuer ?? assert.fail(), clock }
}

/** The failure of a promise, and its reason. */
async function failureOf(promise: Promise<unknown>): Promise<string> {
  const error: unknown = await promise.then(
    () => null,
    (reason: unknown) => reason,
  )
  assert.ok(error instanceof OpenIdError, inspect(error))
  // Whatever an error holds can end in a log.
  assert.doesNotMatch(
    inspect(error, { depth: 9, showHidden: true }),
    /hunter2|the-code|opaque-token/,
  )
  return `${error.failure} ${error.detail}`
}

/** Answers everything with this status. */
function answering(status: number) {
  return (_path: string, response: ServerResponse): boolean => {
    response.writeHead(status).end()
    return true
  }
}

const redeem = (issuer: OpenIdIssuer): Promise<unknown> => issuer.redeem(returned, attempt)

test('the address has code, PKCE with S256, state and nonce, and nothing is asked before it', async (t) => {
  const { scripted, issuer } = await opened(t)
  assert.deepEqual(scripted.asked, [])
  const { pathname, searchParams } = new URL(await issuer.authorizationUrl(attempt, callback))
  assert.equal(pathname, '/auth')
  assert.deepEqual(Object.fromEntries(searchParams), {
    redirect_uri: callback,
    scope: 'openid email',
    state: 'the-state',
    nonce: 'the-nonce',
    code_challenge: '7w_YNF9DSfIdPf_pRjSq646_kPr-2-o9NAl16JGghdM',
    code_challenge_method: 'S256',
    client_id: 'site',
    response_type: 'code',
  })
})

test('metadata are fetched once for all, and again after an hour, without waiting', async (t) => {
  const { scripted, issuer, clock } = await opened(t)
  await Promise.all(Array.from({ length: 20 }, () => issuer.authorizationUrl(attempt, callback)))
  assert.deepEqual(scripted.asked, [metadataPath])
  clock.now += 3600
  // It fails now, and what is known still works.
  scripted.instead = answering(500)
  await issuer.authorizationUrl(attempt, callback)
  await waitFor('the second request', () => scripted.asked.length === 2)
  await issuer.authorizationUrl(attempt, callback)
  assert.equal(scripted.asked.length, 2)
})

test('an issuer that fails is left alone for ten seconds', async (t) => {
  const { scripted, issuer, clock } = await opened(t)
  scripted.instead = answering(503)
  const begin = (): Promise<string> => issuer.authorizationUrl(attempt, callback)
  assert.equal(await failureOf(begin()), 'unavailable status_5xx')
  assert.equal(await failureOf(begin()), 'unavailable status_5xx')
  assert.equal(scripted.asked.length, 1)
  clock.now += 10
  scripted.instead = () => false
  assert.match(await begin(), /\/auth\?/)
})

test('an issuer that never answers is given up, and so is one that never ends', async (t) => {
  const { scripted, issuer, clock } = await opened(t, { timeout: 0.2 })
  const begin = (): Promise<string> => issuer.authorizationUrl(attempt, callback)
  scripted.instead = () => true
  assert.equal(await failureOf(begin()), 'unavailable OAUTH_TIMEOUT')
  clock.now += 10
  scripted.instead = (_path, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).write('{')
    return true
  }
  assert.match(await failureOf(begin()), /^unavailable OAUTH_(?:TIMEOUT|ABORT)$/)
})

test('a response that is too large is not read to its end', async (t) => {
  const { scripted, issuer } = await opened(t)
  scripted.instead = (_path, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end('x'.repeat(1_000_000))
    return true
  }
  const begun = issuer.authorizationUrl(attempt, callback)
  assert.equal(await failureOf(begun), 'unavailable too_large')
})

test('nobody listening is a word, too', async (t) => {
  const { scripted, issuer } = await opened(t)
  await scripted.close()
  const begun = issuer.authorizationUrl(attempt, callback)
  assert.equal(await failureOf(begun), 'unavailable ECONNREFUSED')
})

test('metadata of another issuer are refused', async (t) => {
  const { scripted, issuer } = await opened(t)
  scripted.metadata = { issuer: 'https://login.example/tenant' }
  const begun = issuer.authorizationUrl(attempt, callback)
  assert.match(await failureOf(begun), /^unavailable /)
})

test('an issuer whose metadata are for all tenants is refused, even where the package allows it', async (t) => {
  const values = {
    OIDC_TEST_ISSUER: 'https://login.microsoftonline.com/common/v2.0',
    OIDC_TEST_CLIENT_ID: 'site',
    OIDC_TEST_CLIENT_SECRET: 'hunter2hunter2',
    OIDC_TEST_LABEL: 'Test',
    OIDC_TEST_TRUST_EMAIL: true,
    OIDC_TEST_REGISTER: true,
  }
  const [issuer = assert.fail()] = await openIssuers(values, { environment: Environments.Test })
  // There is only one of these, and it is not on this machine.
  const metadata = {
    issuer: 'https://login.microsoftonline.com/{tenantid}/v2.0',
    authorization_endpoint: 'https://login.microsoftonline.com/common/oauth2/v2.0/authorize',
  }
  t.mock.method(globalThis, 'fetch', () => Promise.resolve(Response.json(metadata)))
  assert.equal(await failureOf(issuer.authorizationUrl(attempt, callback)), 'unavailable issuer')
})

test('a code is redeemed with the verifier and the secret, and the e-mail counts if it was verified', async (t) => {
  const { scripted, issuer } = await opened(t)
  scripted.claims = { nonce: attempt.nonce, email: 'ada@example.org', email_verified: true }
  const person = await issuer.redeem(returned, attempt)
  assert.deepEqual([person.subject, await person.email()], ['ada', 'ada@example.org'])
  const [asked] = scripted.redeemed
  assert.equal(asked?.authorization, `Basic ${btoa('site:hunter2hunter2')}`)
  assert.deepEqual(Object.fromEntries(asked?.form ?? []), {
    grant_type: 'authorization_code',
    code: 'the-code',
    redirect_uri: callback,
    code_verifier: attempt.verifier,
  })
  for (const claims of [
    { email: 'ada@example.org' },
    { email: 'ada@example.org', email_verified: 'true' },
    { email_verified: true },
  ]) {
    scripted.claims = { nonce: attempt.nonce, ...claims }
    assert.equal(await (await issuer.redeem(returned, attempt)).email(), null)
  }
})

test('the secret is in the body for an issuer that wants it there', async (t) => {
  const { scripted, issuer } = await opened(t)
  scripted.metadata = { token_endpoint_auth_methods_supported: ['client_secret_post'] }
  await redeem(issuer)
  const [asked] = scripted.redeemed
  assert.equal(asked?.authorization, undefined)
  assert.equal(asked?.form.get('client_secret'), 'hunter2hunter2')
})

const forged: Readonly<Record<string, (scripted: ScriptedIssuer) => void>> = {
  'signed by somebody else': (scripted) => {
    scripted.signer = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
  },
  'with a key that is not published': (scripted) => {
    scripted.header = { alg: 'ES256', kid: 'two' }
  },
  'not signed': (scripted) => {
    scripted.metadata = { id_token_signing_alg_values_supported: ['ES256', 'none'] }
    scripted.header = { alg: 'none' }
  },
  'signed with the client secret': (scripted) => {
    scripted.metadata = { id_token_signing_alg_values_supported: ['ES256', 'HS256'] }
    scripted.header = { alg: 'HS256' }
  },
  'of another issuer': (scripted) => {
    scripted.claims = { ...scripted.claims, iss: 'https://evil.example' }
  },
  'for another site': (scripted) => {
    scripted.claims = { ...scripted.claims, aud: 'another' }
  },
  'that has expired': (scripted) => {
    scripted.claims = { ...scripted.claims, exp: 1000 }
  },
  'without a nonce': (scripted) => {
    scripted.claims = {}
  },
  'with another nonce': (scripted) => {
    scripted.claims = { nonce: 'another' }
  },
  'whose subject does not fit': (scripted) => {
    scripted.claims = { ...scripted.claims, sub: 'x'.repeat(256) }
  },
}

for (const [what, forge] of Object.entries(forged)) {
  test(`a token ${what} is refused`, async (t) => {
    const { scripted, issuer } = await opened(t)
    forge(scripted)
    assert.match(await failureOf(redeem(issuer)), /^failed /)
  })
}

test('a response must name its issuer if the issuer says that it does, and always the right one', async (t) => {
  const { scripted, issuer } = await opened(t)
  scripted.metadata = { authorization_response_iss_parameter_supported: true }
  for (const iss of [null, 'https://evil.example']) {
    const address = new URL(returned)
    if (iss !== null) address.searchParams.set('iss', iss)
    const redeemed = issuer.redeem(address, attempt)
    assert.equal(await failureOf(redeemed), 'failed OAUTH_INVALID_RESPONSE')
  }
  assert.deepEqual(scripted.redeemed, [])
})

test('a response to another request is refused before its code is redeemed', async (t) => {
  const { scripted, issuer } = await opened(t)
  const redeemed = issuer.redeem(returned, { ...attempt, state: 'another' })
  assert.equal(await failureOf(redeemed), 'failed OAUTH_INVALID_RESPONSE')
  assert.deepEqual(scripted.redeemed, [])
})

test('what the issuer says went wrong is told apart', async (t) => {
  const { issuer } = await opened(t)
  for (const [error, expected] of [
    ['access_denied', 'denied access_denied'],
    ['temporarily_unavailable', 'unavailable temporarily_unavailable'],
    ['invalid_scope', 'failed invalid_scope'],
    ['<script>', 'failed null'],
  ] as const) {
    const address = new URL(`${callback}?state=the-state&error=${encodeURIComponent(error)}`)
    assert.equal(await failureOf(issuer.redeem(address, attempt)), expected)
  }
})
