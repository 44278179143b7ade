import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { errorCodes } from '../../src/base/error-codes.ts'
import { accountDataScope, authScope } from '../../src/accounts/accounts-settings.ts'
import { broadcastScope } from '../../src/broadcast/broadcast-settings.ts'
import { databaseScope } from '../../src/database/database-settings.ts'
import { frameworkScopes } from '../../src/project/start/project-settings.ts'
import { errorInboxScope } from '../../src/inbox/inbox-settings.ts'
import { keyScope } from '../../src/settings/key-settings.ts'
import { mailScope } from '../../src/mail/mail-settings.ts'
import { openIdScope } from '../../src/accounts/openid/open-id-settings.ts'
import { queueScope } from '../../src/queue/queue-settings.ts'
import { redisScope } from '../../src/redis/redis-settings.ts'
import { storageScope } from '../../src/storage/storage-settings.ts'
import { sessionScope } from '../../src/http/session/session-settings.ts'
import { plantTree } from './planted-tree.ts'
import { documentedSettings, writtenNames } from './setting-tables.ts'

const repository = join(import.meta.dirname, '..', '..', '..')
const scopes = [
  ...Object.values(frameworkScopes),
  databaseScope,
  redisScope,
  keyScope,
  sessionScope,
  mailScope,
  storageScope,
  queueScope,
  broadcastScope,
  authScope,
  accountDataScope,
  errorInboxScope,
  openIdScope('company'),
]
const variables = scopes.flatMap((scope) => Object.values(scope.variables))
const defaults = new Map(variables.map(({ name, fallback }) => [name, shown(fallback?.value)]))

function shown(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  return Array.isArray(value) ? value.join(', ') : JSON.stringify(value).replaceAll('"', '')
}

// The default depends on another setting.
const computed = new Map([
  ['MAIL_PORT', '587, 465 or 25'],
  ['REQUEST_LOG', 'all, off in test'],
  ['N_PLUS_ONE', '4 in development, otherwise 0'],
])

const elsewhere = [
  // read before there are scopes, by the shipper, and by the demo
  ['FRAMEWORK_ENVIRONMENT', 'APP_TITLE', 'ERRORS_ACCOUNTS', 'OTEL_SERVICE_NAME'],
  ['ENDPOINT', 'HEADERS', 'TIMEOUT', 'COMPRESSION', 'PROTOCOL'].flatMap((end) => [
    `OTEL_EXPORTER_OTLP_${end}`,
    `OTEL_EXPORTER_OTLP_LOGS_${end}`,
    `OTEL_EXPORTER_OTLP_TRACES_${end}`,
  ]),
  ['OTEL_RESOURCE_ATTRIBUTES', 'OTEL_SDK_DISABLED'],
  // of Node.js, terminals, other frameworks and the tests
  ['YOUR_TOKEN'],
  ['NODE_ENV', 'NODE_EXTRA_CA_CERTS', 'NODE_USE_ENV_PROXY', 'NO_COLOR', 'FORCE_COLOR'],
  ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY'],
  ['APP_ENV', 'TEST_REDIS_URL', 'TEST_S3_URL', 'FRAMEWORK_TEST_INSTALL'],
  // of Debugging and Shutdown, as named by the specification
  ['TARGET_CLI', 'TARGET_HTML', 'E_ERROR', 'E_PARSE', 'E_CORE_ERROR', 'E_COMPILE_ERROR'],
].flat()

test('the setting tables of the guides match the code, with their defaults', () => {
  const told = documentedSettings(repository).filter(
    ({ variable }) => !elsewhere.includes(variable),
  )
  assert.ok(told.length > 25)
  for (const { page, variable, default: value } of told) {
    assert.ok(defaults.has(variable), `${page}: there is no ${variable}`)
    assert.equal(value, computed.get(variable) ?? defaults.get(variable), `${page}: ${variable}`)
  }
})

test('every framework setting is in a guide', () => {
  const tables = documentedSettings(repository).map(({ variable }) => variable)
  const written = new Set([...tables, ...writtenNames(repository)])
  assert.deepEqual(
    [...defaults.keys()].filter((name) => !written.has(name)),
    [],
  )
})

test('no page names a variable or an error code that does not exist', () => {
  const known = new Set([...defaults.keys(), ...Object.keys(errorCodes), ...elsewhere])
  assert.deepEqual(
    [...writtenNames(repository)].filter((name) => !known.has(name)),
    [],
  )
})

test('tables are read with abbreviated names, and other tables are ignored', (t) => {
  const folder = plantTree(t, {
    'docs/a.md': `| Variable | value | Default |\n|---|---|---|\n| \`A_DIR\`, \`_AGE\` | \`a\` | \`x\`, \`60\` |\n`,
    'docs/b.md': '| Variable | |\n|---|---|\n| `B_DIR` | `E_NONE` |\n',
  })
  assert.deepEqual(documentedSettings(folder), [
    { page: 'docs/a.md', variable: 'A_DIR', default: 'x' },
    { page: 'docs/a.md', variable: 'A_AGE', default: '60' },
  ])
  assert.deepEqual([...writtenNames(folder)], ['A_DIR', 'B_DIR', 'E_NONE'])
})
