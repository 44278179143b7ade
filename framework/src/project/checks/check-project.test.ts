import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { authScope } from '../../accounts/accounts-settings.ts'
import { databaseScope } from '../../database/database-settings.ts'
import { loadEnvironment } from '../../settings/env-source.ts'
import type { EnvTexts } from '../../settings/env-source.ts'
import { keyScope } from '../../settings/key-settings.ts'
import { mailScope } from '../../mail/mail-settings.ts'
import { redisScope } from '../../redis/redis-settings.ts'
import { readScopes } from '../../settings/scope.ts'
import { serverScope } from '../../http/server/server-settings.ts'
import { sessionScope } from '../../http/session/session-settings.ts'
import type { CheckContext } from './check.ts'
import { checks, runChecks } from './check-project.ts'

const scopes = [
  serverScope,
  databaseScope,
  redisScope,
  keyScope,
  sessionScope,
  mailScope,
  authScope,
]

/** The settings of a site that is ready for production. */
const ready: EnvTexts = {
  APP_URL: 'https://shop.example',
  APP_KEY: randomBytes(32).toString('hex'),
  TRUSTED_PROXIES: '127.0.0.1',
  MAIL_HOST: 'mail.example',
  MAIL_FROM: 'Shop <no-reply@shop.example>',
  COOKIE_PREFIX: '__Host-',
  AUTH_VERIFY: 'confirm',
}

/** An empty project that every account of the machine may enter. */
function newRoot(t: TestContext, files: Readonly<Record<string, string>> = {}): string {
  const root = mkdtempSync(join(tmpdir(), 'framework-check-'))
  t.after(() => rmSync(root, { recursive: true, force: true }))
  chmodSync(root, 0o755)
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true, mode: 0o755 })
    writeFileSync(join(root, file), text, { mode: 0o600 })
  }
  return root
}

function contextOf(root: string, env: EnvTexts, more: Partial<CheckContext> = {}): CheckContext {
  const source = loadEnvironment({ root, env: { ...ready, ...env } })
  const { server } = readScopes({ server: serverScope }, source)
  const routeSets = ['Home', 'Observability']
  const defaults = { routeSets, migrations: [], messages: [], tls: false, now: new Date() }
  return { root, source, server, scopes, ...defaults, asksDatabase: false, ...more }
}

/** Each finding as `check level what`. */
async function found(context: CheckContext): Promise<string[]> {
  return (await runChecks(context)).map(({ check, level, what }) => `${check} ${level} ${what}`)
}

test('a project that is ready for production has no findings', async (t) => {
  assert.deepEqual(await found(contextOf(newRoot(t), {})), [])
})

test('a project without accounts, mails and a database is only asked what it has', async (t) => {
  const context = contextOf(newRoot(t), { APP_KEY: '', MAIL_HOST: '', COOKIE_PREFIX: '' })
  assert.deepEqual(await found({ ...context, scopes: [serverScope] }), [
    // They are set, and in such a project nothing reads them.
    'variables warning APP_KEY is set, but no setting has that name',
  ])
})

for (const [title, env, expected] of [
  ['no APP_URL', { APP_URL: '' }, 'app-url error APP_URL is not set'],
  [
    'a plain APP_URL',
    { APP_URL: 'http://shop.example' },
    'app-url warning APP_URL begins with http://',
  ],
  [
    'a local APP_URL',
    { APP_URL: 'https://localhost:8443' },
    'app-url warning APP_URL is https://localhost:8443',
  ],
  ['no key', { APP_KEY: '' }, 'key error APP_KEY is not set'],
  [
    'a weak key',
    { APP_KEY: '00'.repeat(32) },
    'key error APP_KEY is easy to guess: it repeats a few bytes',
  ],
  [
    'a weak former key',
    { APP_PREVIOUS_KEYS: Buffer.from('correct horse battery staple 123').toString('hex') },
    'key error APP_PREVIOUS_KEYS has a key that is easy to guess',
  ],
  [
    'a remote database without TLS',
    { DATABASE_URL: 'postgres://ada:hunter2@db.internal/shop' },
    'database error the connection to postgres://db.internal:5432/shop is not encrypted',
  ],
  [
    'a remote database with an unverified certificate',
    { DATABASE_URL: 'mariadb://ada:hunter2@db.internal/shop?tls=unverified' },
    'database warning the certificate of mariadb://db.internal:3306/shop is not verified',
  ],
  [
    'a database with the example password',
    { DATABASE_URL: 'postgres://ada:password@127.0.0.1/shop' },
    'database warning DATABASE_URL has the example password that `framework new` writes',
  ],
  [
    'a database in memory',
    { DATABASE_URL: 'sqlite::memory:' },
    'database error the database is in memory',
  ],
  [
    'a remote Redis without TLS',
    { REDIS_URL: 'redis://:hunter2@cache.internal' },
    'redis warning the connection to redis://cache.internal:6379/0 is not encrypted',
  ],
  [
    'a remote Redis without a password',
    { REDIS_URL: 'rediss://cache.internal' },
    'redis warning rediss://cache.internal:6379/0 is used without a password',
  ],
  ['no mail server', { MAIL_HOST: '' }, 'mail warning MAIL_HOST is not set'],
  ['no sender', { MAIL_FROM: '' }, 'mail warning MAIL_FROM is no-reply@localhost'],
  [
    'a mail server without TLS',
    { MAIL_SECURE: 'none' },
    'mail warning mails are sent over an unencrypted connection',
  ],
  [
    'a misspelled environment',
    { FRAMEWORK_ENVIRONMENT: 'Production' },
    'environment warning FRAMEWORK_ENVIRONMENT is "Production", which is not an environment',
  ],
  [
    'the environment of developers',
    { FRAMEWORK_ENVIRONMENT: 'development' },
    'environment error the environment is development',
  ],
  [
    'packages in development',
    { NODE_ENV: 'development' },
    'environment warning NODE_ENV is development',
  ],
  [
    'sessions of ten years',
    { SESSION_LIFETIME: '315360000' },
    'sessions warning SESSION_LIFETIME is 3650 days',
  ],
  [
    'sessions and devices that never seem to end',
    { SESSION_LIFETIME: '8640000', SESSION_IDLE: '7776000', AUTH_REMEMBER_MAX: '86400000' },
    'sessions warning SESSION_LIFETIME is 100 days, SESSION_IDLE is 90 days, AUTH_REMEMBER_MAX is 1000 days',
  ],
  [
    'an unknown variable',
    { APP_ULR: 'https://shop.example' },
    'variables warning APP_ULR is set, but no setting has that name',
  ],
  [
    'a proxy that is not declared',
    { TRUSTED_PROXIES: '' },
    'proxies warning APP_URL is served by a proxy, but TRUSTED_PROXIES is empty',
  ],
  [
    'proxies that are everybody',
    { TRUSTED_PROXIES: '10.0.0.1, 0.0.0.0/0' },
    'proxies warning TRUSTED_PROXIES trusts everybody: 0.0.0.0/0',
  ],
  [
    'cookies that other hosts can plant',
    { COOKIE_PREFIX: '', SESSION_NAME: '__Host-session' },
    'cookies warning the names of the cookies (remember) do not begin with __Host-',
  ],
] as const) {
  test(`${title} is found`, async (t) => {
    assert.deepEqual(await found(contextOf(newRoot(t), env)), [expected])
  })
}

test('a note says what AUTH_VERIFY=link means, and is no problem', async (t) => {
  const context = contextOf(newRoot(t), { AUTH_VERIFY: '' })
  const findings = await runChecks(context)
  assert.deepEqual(
    findings.map(({ check, level, what }) => [check, level, what]),
    [['verification', 'note', 'AUTH_VERIFY is link: opening a verification link is enough']],
  )
  assert.match(findings[0]?.why ?? '', /scanner[\s\S]*code from the mailbox/)
  const without = await runChecks({ ...context, scopes: [serverScope] })
  assert.ok(!without.some(({ level }) => level === 'note'))
})

test('metrics that other machines reach are found, unless a token or a proxy is declared', async (t) => {
  const root = newRoot(t)
  // Plain, so that no proxy is missing.
  const open = { HOST: '0.0.0.0', APP_URL: 'http://shop.example', TRUSTED_PROXIES: '' }
  const ofMetrics = async (context: CheckContext): Promise<string[]> =>
    (await found(context)).filter((line) => line.startsWith('metrics'))
  assert.deepEqual(await ofMetrics(contextOf(root, open)), [
    'metrics warning HOST=0.0.0.0 lets other machines reach /metrics and /ready',
  ])
  for (const env of [
    { ...open, METRICS_TOKEN: randomBytes(16).toString('hex') },
    { ...open, TRUSTED_PROXIES: '10.0.0.1' },
    { ...open, HOST: '127.0.0.1' },
  ]) {
    assert.deepEqual(await ofMetrics(contextOf(root, env)), [])
  }
  assert.deepEqual(await ofMetrics(contextOf(root, open, { routeSets: ['Home'] })), [])
})

test('a server that serves TLS itself needs no proxy', async (t) => {
  assert.deepEqual(await found(contextOf(newRoot(t), { TRUSTED_PROXIES: '' }, { tls: true })), [])
})

test('local connections need no TLS', async (t) => {
  for (const host of ['127.0.0.1', 'localhost', '[::1]']) {
    const env = {
      DATABASE_URL: `postgres://ada:hunter2@${host}/shop`,
      REDIS_URL: `redis://${host}`,
    }
    assert.deepEqual(await found(contextOf(newRoot(t), env)), [], host)
  }
})

test('secrets that every account of the machine can read are one error', async (t) => {
  const files = {
    '.env': 'APP_KEY=',
    '.env.production': '',
    '.env.example': '',
    'storage/app.key': 'x',
    'storage/tls/local.pem': 'x',
    'storage/database.sqlite': 'x',
    'storage/mails/1-1.eml': 'x',
  }
  const root = newRoot(t, files)
  const context = contextOf(root, {})
  assert.deepEqual(await found(context), [])
  chmodSync(join(root, '.env.example'), 0o644)
  assert.deepEqual(await found(context), [])
  for (const file of Object.keys(files)) {
    if (file === '.env.example') continue
    chmodSync(join(root, file), 0o644)
    const what = `every account of this machine can read ${file}`
    assert.deepEqual(await found(context), [`secret-files error ${what}`])
    chmodSync(join(root, file), 0o640)
  }
  for (const file of Object.keys(files)) chmodSync(join(root, file), 0o604)
  assert.match((await found(context)).join(), /^secret-files error .* and 3 more$/)
  chmodSync(root, 0o700)
  assert.deepEqual(await found(context), [], 'nobody else can enter the folder')
})

test('folders and files that every account of the machine can change are one error', async (t) => {
  const files = ['.env', 'storage/database.sqlite', 'public/app.js', 'public/deep/style.css']
  const root = newRoot(t, Object.fromEntries(files.map((file) => [file, ''])))
  const context = contextOf(root, {})
  assert.deepEqual(await found(context), [])
  for (const path of ['storage', 'public', 'public/deep', ...files]) {
    const { mode } = statSync(join(root, path))
    chmodSync(join(root, path), (mode & 0o777) | 0o002)
    const what = `every account of this machine can change ${path}`
    assert.deepEqual(await found(context), [`folders error ${what}`])
    chmodSync(join(root, path), mode & 0o777)
  }
  for (const path of files) chmodSync(join(root, path), 0o602)
  assert.match((await found(context)).join(), /^folders error .* and 1 more$/)
  chmodSync(root, 0o700)
  assert.deepEqual(await found(context), [], 'nobody else can enter the folder')
})

test('files of development that visitors could download are found', async (t) => {
  const files = { 'public/app.js': '', 'public/.env': '', 'public/deep/style.css': '' }
  const root = newRoot(t, files)
  assert.deepEqual(await found(contextOf(root, {})), [])
  for (const file of ['app.js.map', 'deep/dump.sql', 'deep/notes.txt~', 'package.json']) {
    writeFileSync(join(root, 'public', file), '')
  }
  const [line = ''] = await found(contextOf(root, {}))
  assert.match(line, /^public-files warning public\/ contains files of development: /)
  assert.match(line, / and 1 more$/)
})

test('a folder that cannot be written to is found, with the reason', async (t) => {
  const root = newRoot(t, { storage: 'a file where a folder should be' })
  const lines = await found(contextOf(root, { DATABASE_URL: 'postgres://a:b@127.0.0.1/c' }))
  assert.deepEqual(lines, [
    `folders warning ${join(root, 'storage')} cannot be written to, a file is where a folder ` +
      'should be (ENOTDIR): move that file away',
  ])
})

test('a clock that is behind the files of the project is found', async (t) => {
  const root = newRoot(t, { 'package.json': '{}', 'migrations/20260101000000_a.ts': '' })
  const past = new Date('2025-12-31T12:00:00Z')
  utimesSync(join(root, 'package.json'), past, past)
  const at = (time: string): Promise<string[]> =>
    found(contextOf(root, {}, { now: new Date(time) }))
  assert.deepEqual(await at('2026-01-01T00:00:00Z'), [])
  // The name of a migration may be in another time zone.
  assert.deepEqual(await at('2025-12-31T12:00:00Z'), [])
  assert.deepEqual(await at('2025-12-31T11:00:00Z'), [
    'clock warning the clock says 2025-12-31 11:00, but package.json is of 2025-12-31 12:00',
  ])
  rmSync(join(root, 'package.json'))
  assert.deepEqual(await at('2025-12-30T23:00:00Z'), [
    'clock warning the clock says 2025-12-30 23:00, but migrations/20260101000000_a.ts is of 2026-01-01 00:00',
  ])
})

test('errors come first, and a check that fails is a finding that shows no secret', async (t) => {
  const context = contextOf(newRoot(t), { MAIL_HOST: '', APP_KEY: '' })
  const results = await runChecks(context, () =>
    Promise.reject(new Error('no answer from https://ada:hunter2@till.example/')),
  )
  assert.deepEqual(
    results.map(({ level, check }) => [level, check]),
    [
      ['error', 'key'],
      ['warning', 'mail'],
      ['warning', 'project'],
    ],
  )
  assert.match(results[2]?.what ?? '', /^the check project failed: no answer from https:/)
  assert.ok(!JSON.stringify(results).includes('hunter2'))
})

test('messages that one language lacks are listed', async (t) => {
  const messages = [{ language: 'de', key: 'title', why: 'is missing' }]
  const context = contextOf(newRoot(t), {}, { messages })
  assert.deepEqual(await found(context), [
    "messages warning messages differ: 'title' is missing in 'de'",
  ])
})

test('every finding says why and what to do', async (t) => {
  const context = contextOf(newRoot(t), { APP_URL: '', APP_KEY: '', MAIL_HOST: '' })
  for (const { why, fix } of await runChecks(context)) {
    assert.match(why, /^.{10,}[^.]$/)
    assert.match(fix, /^.{10,}[^.]$/)
  }
  assert.equal(Object.keys(checks).length, 18)
})
