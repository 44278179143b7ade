import assert from 'node:assert/strict'
import { test } from 'node:test'
import { effectiveTable } from '../../settings/effective-table.ts'
import type { EnvSource } from '../../settings/env-source.ts'
import { configuredProviders, openIdScope } from './open-id-settings.ts'
import { readScopes } from '../../settings/scope.ts'

function source(texts: Readonly<Record<string, string>>): EnvSource {
  const lookup = (name: string): ReturnType<EnvSource['lookup']> => {
    const text = texts[name]
    return text === undefined ? null : { text, origin: 'the environment' }
  }
  return { environment: 'test', lookup }
}

const given = {
  OIDC_COMPANY_ISSUER: 'https://login.company.example',
  OIDC_COMPANY_CLIENT_ID: 'site',
  OIDC_COMPANY_CLIENT_SECRET: 'hunter2',
  OIDC_COMPANY_TRUST_EMAIL: 'yes',
}

test('each name has its own variables, and only those with an issuer are offered', () => {
  const scope = openIdScope('company', 'night_school')
  const { oidc } = readScopes({ oidc: scope }, source(given))
  assert.equal(oidc['OIDC_NIGHT_SCHOOL_LABEL'], 'Night school')
  assert.deepEqual(configuredProviders(oidc, { allowsHttp: false }), [
    {
      name: 'company',
      label: 'Company',
      issuer: 'https://login.company.example',
      clientId: 'site',
      clientSecret: 'hunter2',
      trustsEmail: true,
      registers: true,
      allowsHttp: false,
    },
  ])
})

test('the secret is in no table', () => {
  const rows = effectiveTable([openIdScope('company')], source(given))
  assert.doesNotMatch(JSON.stringify(rows), /hunter2/)
})

test('a name that cannot be in a path and a variable is refused', () => {
  for (const name of ['', 'Company', 'a b', '1a', 'a-b', 'x'.repeat(33)]) {
    assert.throws(() => openIdScope(name), { code: 'E_INVALID_ARGUMENT' })
  }
})
