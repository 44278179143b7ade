import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { Validator } from '@seriousme/openapi-schema-validator'
import * as fc from 'fast-check'
import type { AccountsWith } from '../../src/accounts/module/account-services.ts'
import { Throwables } from '../../src/errors/throwables/throwables.ts'
import { openApiDocument } from '../../src/openapi/open-api-document.ts'
import type { OperationResponse } from '../../src/openapi/operation-responses.ts'
import type { Operation } from '../../src/openapi/operation.ts'
import { assembleProject } from '../../src/project/start/assemble-project.ts'
import type { InstalledParts } from '../../src/project/boot.ts'
import { preparedDatabase, site } from '../support/demo-tests.ts'
import { describedApi } from '../support/described-api.ts'
import { schemaMisfit } from '../support/schema-misfit.ts'
import { rightAndWrongValues, valuesOf } from '../support/schema-values.ts'
import type { Schemas } from '../support/schema-values.ts'

interface Services {
  readonly accounts: AccountsWith<'apiTokens'>
}

const demo = join(import.meta.dirname, '..', '..', '..', 'demo')
/** Requests for each operation and visitor; OPENAPI_TEST_RUNS raises it. */
const runs = Number(process.env['OPENAPI_TEST_RUNS'] ?? 12)
/** The same requests each time, unless OPENAPI_TEST_SEED says otherwise. */
const seed = Number(process.env['OPENAPI_TEST_SEED'] ?? 20_261_116)

const info = { title: 'Shop', version: '1.0.0' }

const reported: unknown[] = []
const report = (error: unknown): void => void reported.push(error)
Throwables.reporters.push(report)
after(() => Throwables.reporters.splice(Throwables.reporters.indexOf(report), 1))

// Its own storage: two servers do not share a folder, and another test may serve the demo meanwhile.
const metrics = mkdtempSync(join(tmpdir(), 'framework-metrics-'))
const installed: InstalledParts<Services>[] = []
const { server } = await assembleProject({
  root: demo,
  environment: 'production',
  env: {
    ...process.env,
    APP_URL: site,
    APP_KEY: randomBytes(32).toString('hex'),
    LOG_LEVEL: 'silent',
    DATABASE_URL: await preparedDatabase({ after }),
    REDIS_URL: '',
    MAIL_HOST: '',
    MAIL_QUEUE: '',
    OIDC_COMPANY_ISSUER: '',
    PORT: '0',
    FRAMEWORK_OBSERVABILITY_DIR: metrics,
    // Each request has its own address, so that limits by address do not interfere.
    TRUSTED_PROXIES: '127.0.0.1',
  },
  workers: 1,
  tested: { onInstall: (parts: InstalledParts<Services>) => void installed.push(parts) },
})
after(async () => {
  await server.close()
  rmSync(metrics, { recursive: true, force: true })
})
const [{ services } = assert.fail('not installed')] = installed
const visitors: Readonly<Record<string, () => string>> = {
  'a guest': () => '',
  'a program with every scope': await tokensOf(services, services.accounts.apiTokens.scopes),
  'a program without the scopes': await tokensOf(services, ['account:read']),
}
const { document } = await openApiDocument(server, info)
const { port } = await server.listen({ signals: false })
const url = `http://127.0.0.1:${port}`

/** Takes turns with the tokens of an account: one alone may be used 600 times a minute. */
async function tokensOf(
  { accounts: { users, apiTokens } }: Services,
  scopes: readonly string[],
): Promise<() => string> {
  const user = await users.enrollVerified(`${randomUUID()}@example.org`)
  const tokens: string[] = []
  for (let at = 0; at < 10; at += 1) {
    const wanted = { name: `Test ${at}`, scopes, ttl: 3600 }
    const made = await apiTokens.create(user ?? '', wanted, { keep: null })
    tokens.push(made?.value ?? '')
  }
  let used = 0
  return () => {
    used += 1
    return tokens[used % tokens.length] ?? ''
  }
}

/** What two validators that know nothing of each other say. */
async function complaints(given: unknown): Promise<string[]> {
  const config = await createConfig({ extends: ['spec'] })
  const source = JSON.stringify(given)
  const linted = await lintFromString({ source, absoluteRef: '/openapi.json', config })
  const { valid, errors } = await new Validator().validate(JSON.parse(source))
  return [
    ...linted.map(({ ruleId, message }) => `redocly: ${ruleId}: ${message}`),
    ...(valid ? [] : [`openapi-schema-validator: ${JSON.stringify(errors)}`]),
  ]
}

test('the document of every kind of route passes two validators', async () => {
  const { document: described } = await openApiDocument(describedApi(), info)
  assert.ok(Object.keys(described.paths).length > 10)
  assert.deepEqual(await complaints(described), [])
})

test('the document of the demo passes two validators', async () => {
  const paths = [
    '/api/account',
    '/api/hello/{name}',
    '/api/items/{id}/orders',
    '/api/places',
    '/items',
  ]
  assert.deepEqual(Object.keys(document.paths), paths)
  assert.deepEqual(await complaints(document), [])
})

test('both validators complain about a broken document', async () => {
  const operation = document.paths['/items']?.['get'] ?? assert.fail()
  const get = { ...operation, parameters: [{ name: 'id' }] }
  const broken = { ...document, paths: { '/items/{id}': { get } } }
  const found = (await complaints(broken)).join('\n')
  assert.match(found, /redocly: /)
  assert.match(found, /openapi-schema-validator: /)
})

/** A request for an operation, right or wrong. */
interface Trial {
  readonly path: Readonly<Record<string, unknown>>
  readonly query: Readonly<Record<string, unknown>>
  readonly body: unknown
  readonly form: 'json' | 'broken' | 'text' | 'none'
}

function trials(operation: Operation, schemas: Schemas): fc.Arbitrary<Trial> {
  const { parameters = [], requestBody } = operation
  const odd = fc.string({ minLength: 1, maxLength: 30, unit: 'grapheme' })
  const valuesIn = (place: string): fc.Arbitrary<Readonly<Record<string, unknown>>> => {
    const found = parameters.filter((parameter) => parameter.in === place)
    const values = found.map(({ name, schema }) => [
      name,
      // Small numbers are those of records.
      fc.oneof(
        { weight: 4, arbitrary: valuesOf(schema, schemas) },
        fc.integer({ min: 1, max: 99 }),
        odd,
      ),
    ])
    return fc.record(Object.fromEntries(values), place === 'path' ? {} : { requiredKeys: [] })
  }
  const schema = Object.values(requestBody?.content ?? {})[0]?.schema
  const form = fc.constantFrom<Trial['form'][]>(
    'json',
    'json',
    'json',
    'json',
    'broken',
    'text',
    'none',
  )
  return fc.record({
    path: valuesIn('path'),
    query: valuesIn('query'),
    body: schema === undefined ? fc.constant(undefined) : rightAndWrongValues(schema, schemas),
    form: schema === undefined ? fc.constant<Trial['form']>('none') : form,
  })
}

let asked = 0

async function send(method: string, path: string, trial: Trial, token: string): Promise<Response> {
  const place = path.replaceAll(/\{(\w+)\}/g, (_match, name) => {
    const text = String(trial.path[name])
    // A browser would make another path of these.
    return encodeURIComponent(/^\.*$/.test(text) ? 'x' : text)
  })
  const query = new URLSearchParams(
    Object.entries(trial.query).map(([name, value]): [string, string] => [name, String(value)]),
  )
  asked += 1
  const text = JSON.stringify(trial.body)
  const isSent = trial.form !== 'none' && text !== undefined
  return fetch(`${url}${place}?${query.toString()}`, {
    method,
    redirect: 'manual',
    headers: {
      accept: 'application/json, application/problem+json;q=0.9',
      'x-forwarded-for': `2001:db8:0:${(asked % 65_536).toString(16)}::1`,
      ...(token !== '' && { authorization: `Bearer ${token}` }),
      ...(isSent && { 'content-type': trial.form === 'text' ? 'text/plain' : 'application/json' }),
    },
    ...(isSent && { body: trial.form === 'broken' ? `${text.slice(0, -1)}{` : text }),
  })
}

/** The response that the document has for a status. */
function listed(operation: Operation, status: number): OperationResponse | undefined {
  const { responses } = operation
  const given = responses[status] ?? responses[`${Math.floor(status / 100)}XX`]
  if (given === undefined || !('$ref' in given)) return given
  return document.components.responses[given.$ref.split('/').at(-1) ?? '']
}

for (const [who, tokenOf] of Object.entries(visitors)) {
  test(`whatever ${who} sends by the document, the demo answers as it says and never fails`, async (t) => {
    t.diagnostic(`OPENAPI_TEST_SEED=${seed} OPENAPI_TEST_RUNS=${runs}`)
    const { schemas } = document.components
    const seen = new Set<number>()
    for (const [path, methods] of Object.entries(document.paths)) {
      for (const [method, operation] of Object.entries(methods)) {
        const property = fc.asyncProperty(trials(operation, schemas), async (trial) => {
          const response = await send(method.toUpperCase(), path, trial, tokenOf())
          const text = await response.text()
          const { status } = response
          seen.add(status)
          const line = `${method} ${response.url} ${status}: ${text.slice(0, 500)}`
          assert.ok(status < 500, line)
          assert.deepEqual(reported, [], line)
          const described = listed(operation, status) ?? assert.fail(`not listed: ${line}`)
          if (described.content === undefined) return
          const type = (response.headers.get('content-type') ?? '').split(';')[0] ?? ''
          const content = described.content[type] ?? assert.fail(`${type} is not listed: ${line}`)
          if (!type.endsWith('json')) return
          assert.equal(schemaMisfit(JSON.parse(text), content.schema, schemas), null, line)
        })
        await fc.assert(property, { numRuns: runs, seed })
      }
    }
    // That everything was refused would say little about what succeeds.
    const expected = who === 'a guest' ? [200, 401] : [200, 403]
    const reached = who === 'a program with every scope' ? [200, 201, 409, 422] : expected
    assert.deepEqual(
      reached.filter((status) => !seen.has(status)),
      [],
      [...seen].join(' '),
    )
  })
}
