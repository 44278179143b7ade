import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Environments } from '../../settings/environments.ts'
import { loadOpenIdClient, openIssuers } from './open-issuers.ts'

const company = {
  OIDC_COMPANY_ISSUER: 'https://login.company.example',
  OIDC_COMPANY_CLIENT_ID: 'site',
  OIDC_COMPANY_CLIENT_SECRET: 'hunter2',
  OIDC_COMPANY_LABEL: 'Company',
  OIDC_COMPANY_TRUST_EMAIL: true,
  OIDC_COMPANY_REGISTER: false,
}
const production = { environment: Environments.Production }

test('only what has an issuer is opened', async () => {
  assert.deepEqual(await openIssuers({ ...company, OIDC_COMPANY_ISSUER: '' }, production), [])
  const issuers = await openIssuers(company, production)
  assert.deepEqual(
    issuers.map(({ name, label, key, trustsEmail, registers }) => ({
      name,
      label,
      key,
      trustsEmail,
      registers,
    })),
    [
      {
        name: 'company',
        label: 'Company',
        key: 'https://login.company.example/',
        trustsEmail: true,
        registers: false,
      },
    ],
  )
  assert.doesNotMatch(JSON.stringify(issuers), /hunter2/)
})

for (const [what, values, expected] of [
  ['no client id', { OIDC_COMPANY_CLIENT_ID: '' }, /OIDC_COMPANY_CLIENT_ID is missing/],
  ['not a URL', { OIDC_COMPANY_ISSUER: 'company' }, /OIDC_COMPANY_ISSUER must be a URL/],
  ['a query', { OIDC_COMPANY_ISSUER: 'https://a.example/?x' }, /no \? or #/],
  [
    'one issuer twice',
    {
      OIDC_OTHER_ISSUER: 'https://login.company.example/',
      OIDC_OTHER_CLIENT_ID: 'site',
    },
    /OIDC_OTHER_ISSUER is the issuer of another name too/,
  ],
  ['no TLS', { OIDC_COMPANY_ISSUER: 'http://a.example' }, /begins with https:/],
] as const) {
  test(`${what} is refused at start`, async () => {
    const refused = openIssuers({ ...company, ...values }, production)
    await assert.rejects(refused, { code: 'E_OPEN_ID', message: expected })
  })
}

test('plain HTTP works on this machine only, in development and test only', async () => {
  for (const [issuer, environment, works] of [
    ['http://127.0.0.1:8080', Environments.Test, true],
    ['http://localhost:8080', Environments.Development, true],
    ['http://127.0.0.1:8080', Environments.Staging, false],
    ['http://127.0.0.1:8080', Environments.Production, false],
    ['http://192.0.2.1', Environments.Development, false],
    ['http://localhost.evil.example', Environments.Development, false],
  ] as const) {
    const opened = openIssuers({ ...company, OIDC_COMPANY_ISSUER: issuer }, { environment })
    if (works) assert.equal((await opened).length, 1)
    else await assert.rejects(opened, { code: 'E_OPEN_ID' })
  }
})

test('a project without the package is told what to install', async () => {
  const missing = (name: string) => async (): Promise<never> => {
    throw Object.assign(new Error(`Cannot find package '${name}'`), {
      code: 'ERR_MODULE_NOT_FOUND',
    })
  }
  await assert.rejects(loadOpenIdClient(missing('openid-client')), {
    name: 'ConfigurationError',
    code: 'E_OPEN_ID',
    message: /npm install openid-client/,
  })
  await assert.rejects(loadOpenIdClient(missing('./ours.ts')), { code: 'ERR_MODULE_NOT_FOUND' })
})
