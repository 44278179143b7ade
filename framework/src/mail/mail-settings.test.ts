import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConfigurationError } from '../base/errors.ts'
import { effectiveTable } from '../settings/effective-table.ts'
import type { EnvSource } from '../settings/env-source.ts'
import { mailScope, mailerFrom } from './mail-settings.ts'
import type { MailValues } from './mail-settings.ts'
import { readScopes } from '../settings/scope.ts'
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { createThrowables } from '../errors/throwables/throwables.ts'
import type { PackedMessage } from './raw-message.ts'
import { Message } from './message.ts'
import { readMail } from './read-mail.ts'

function given(texts: Readonly<Record<string, string>>): EnvSource {
  const lookup = (name: string): ReturnType<EnvSource['lookup']> => {
    const text = texts[name]
    return text === undefined ? null : { text, origin: 'the environment' }
  }
  return { environment: 'production', lookup }
}

function read(texts: Readonly<Record<string, string>>): MailValues {
  return readScopes({ mail: mailScope }, given(texts)).mail
}

test('without settings mails are files and come from no-reply@localhost', () => {
  assert.deepEqual(read({}), {
    host: '',
    port: null,
    secure: 'starttls',
    username: '',
    password: '',
    queue: false,
    from: 'no-reply@localhost',
  })
})

test('every setting is read', () => {
  assert.deepEqual(
    read({
      MAIL_HOST: 'smtp.example.org',
      MAIL_PORT: '2525',
      MAIL_SECURE: 'tls',
      MAIL_USERNAME: 'shop',
      MAIL_PASSWORD: 'hunter2',
      MAIL_QUEUE: '1',
      MAIL_FROM: 'Shop <no-reply@example.org>',
    }),
    {
      host: 'smtp.example.org',
      port: 2525,
      secure: 'tls',
      username: 'shop',
      password: 'hunter2',
      queue: true,
      from: 'Shop <no-reply@example.org>',
    },
  )
  for (const host of ['127.0.0.1', '::1', 'mail', 'mail_server', 'smtp.example.org.']) {
    assert.equal(read({ MAIL_HOST: host }).host, host)
  }
})

for (const [name, text] of [
  ['MAIL_HOST', 'smtp://smtp.example.org'],
  ['MAIL_HOST', 'smtp.example.org:587'],
  ['MAIL_HOST', 'smtp example'],
  ['MAIL_PORT', '0'],
  ['MAIL_PORT', '70000'],
  ['MAIL_SECURE', 'true'],
  ['MAIL_SECURE', 'STARTTLS'],
  ['MAIL_QUEUE', 'maybe'],
  ['MAIL_FROM', 'Shop'],
  ['MAIL_FROM', 'a@example.org, b@example.org'],
  ['MAIL_FROM', 'Shop\n <a@example.org>'],
] as const) {
  test(`${name}=${JSON.stringify(text)} is an error that says what is expected`, () => {
    assert.throws(
      () => read({ [name]: text }),
      (error) => {
        assert.ok(error instanceof ConfigurationError)
        assert.equal(error.code, 'E_CONFIG_INVALID')
        assert.match(error.message, new RegExp(`${name} \\(.*\\) must be `))
        return true
      },
    )
  })
}

test('framework config never shows the password', () => {
  const rows = effectiveTable([mailScope], given({ MAIL_PASSWORD: 'hunter2' }))
  assert.doesNotMatch(JSON.stringify(rows), /hunter2/)
  assert.equal(rows.length, 7)
})

const values: MailValues = {
  host: '',
  port: null,
  secure: 'starttls',
  username: '',
  password: '',
  queue: false,
  from: 'Shop <no-reply@shop.example>',
}

function project(t: TestContext): string {
  const root = mkdtempSync(join(tmpdir(), 'framework-mailer-'))
  t.after(() => rmSync(root, { recursive: true, force: true }))
  mkdirSync(join(root, 'views', 'mails'), { recursive: true })
  writeFileSync(join(root, 'views/mails/hello.text.template.html'), 'Hello <%= it.name %>')
  return root
}

const hello = new Message({
  to: 'ada@example.org',
  subject: 'Hello',
  view: 'mails/hello',
  data: { name: 'Ada & Bob' },
})

test('without a host mails are files of the project, rendered by its views', async (t) => {
  const root = project(t)
  const mailer = mailerFrom(
    values,
    { root, environment: 'production' },
    { clock: () => 1_700_000_000 },
  )
  assert.equal(await mailer.deliver(hello), true)
  assert.deepEqual(readdirSync(join(root, 'storage/mails')), ['1700000000-0001.eml'])
  const mail = await readMail(readFileSync(join(root, 'storage/mails/1700000000-0001.eml')))
  assert.equal(mail.text?.trim(), 'Hello Ada & Bob')
  assert.equal(mail.header('from'), 'Shop <no-reply@shop.example>')
  assert.equal(mail.header('date'), 'Tue, 14 Nov 2023 22:13:20 +0000')
})

test('views are reloaded in development, and cached elsewhere', async (t) => {
  for (const [environment, expected] of [
    ['development', 'Bye'],
    ['production', 'Hello Ada & Bob'],
  ] as const) {
    const root = project(t)
    const mailer = mailerFrom(values, { root, environment }, { clock: () => 1 })
    await mailer.deliver(hello)
    writeFileSync(join(root, 'views/mails/hello.text.template.html'), 'Bye')
    await mailer.deliver(hello)
    const mail = await readMail(readFileSync(join(root, 'storage/mails/1-0002.eml')))
    assert.equal(mail.text?.trim(), expected)
  }
})

test('MAIL_QUEUE queues whichever lane is configured', async (t) => {
  const root = project(t)
  const jobs: PackedMessage[] = []
  const queue = { push: (job: PackedMessage) => Promise.resolve(jobs.push(job)) }
  const context = { root, environment: 'production' } as const
  const files = mailerFrom({ ...values, queue: true }, context, { queue, clock: () => 7 })
  assert.equal(await files.deliver(hello), true)
  assert.equal(jobs.length, 1)
  await files.work({ payload: jobs[0] })
  assert.deepEqual(readdirSync(join(root, 'storage/mails')), ['7-0001.eml'])
  const host = '127.0.0.1'
  const server = mailerFrom({ ...values, queue: true, host, port: 1 }, context, { queue })
  assert.equal(await server.deliver(hello), true)
  await assert.rejects(server.work({ payload: jobs[1] }), {
    code: 'E_MAIL',
    message: /ECONNREFUSED$/,
  })
})

test('a queue is not used when MAIL_QUEUE is off', async (t) => {
  const root = project(t)
  const queue = { push: () => assert.fail('the queue was used') }
  const mailer = mailerFrom(values, { root, environment: 'production' }, { queue })
  assert.equal(await mailer.deliver(hello), true)
})

test('MAIL_QUEUE without a queue stops the start and says what to do', () => {
  assert.throws(
    () => mailerFrom({ ...values, queue: true }, { root: '/', environment: 'production' }),
    {
      name: 'ConfigurationError',
      code: 'E_MAIL_QUEUE',
      message: /mailerFrom\(configs\.mail, boot, \{ queue \}\)/,
    },
  )
})

for (const [given, missing] of [
  [{ username: 'shop' }, 'MAIL_PASSWORD'],
  [{ password: 'hunter2' }, 'MAIL_USERNAME'],
] as const) {
  test(`half a login stops the start: ${missing} is missing`, () => {
    const context = { root: '/', environment: 'production' } as const
    assert.throws(
      () => mailerFrom({ ...values, ...given, host: 'mx.example' }, context),
      (error: unknown) => {
        assert.ok(error instanceof Error)
        assert.match(error.message, new RegExp(`^${missing} is missing`))
        assert.doesNotMatch(error.message, /hunter2/)
        return true
      },
    )
  })
}

test('mails can be previewed in development only, and only those written to files', () => {
  const preview = (
    environment: 'development' | 'test' | 'staging' | 'production',
    host = '',
  ): unknown => mailerFrom({ ...values, host }, { root: '/shop', environment }).preview
  assert.deepEqual(preview('development'), { folder: '/shop/storage/mails', remote: false })
  for (const environment of ['test', 'staging', 'production'] as const) {
    assert.equal(preview(environment), null)
  }
  assert.equal(preview('development', 'mx.example'), null)
  const server = { debugRemote: true }
  const remote = mailerFrom(values, { root: '/shop', environment: 'development', server })
  assert.equal(remote.preview?.remote, true)
})

test('an unreachable server is a failed delivery, reported without the contents of the message', async (t) => {
  const throwables = createThrowables()
  const told: string[] = []
  throwables.reporters.push((error) => told.push(`${error.message} ${error.stack}`))
  const mailer = mailerFrom(
    { ...values, host: '127.0.0.1', port: 1, username: 'shop', password: 'hunter2' },
    { root: project(t), environment: 'production' },
    { throwables },
  )
  assert.equal(await mailer.deliver(hello), false)
  await mailer.close()
  assert.equal(told.length, 1)
  assert.match(told[0] ?? '', /^mail server 127\.0\.0\.1:1 could not be reached: ECONNREFUSED/)
  assert.doesNotMatch(told[0] ?? '', /hunter2|Ada/)
})
