import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConfigurationError } from '../base/errors.ts'
import { effectiveTable } from '../settings/effective-table.ts'
import type { EnvSource } from '../settings/env-source.ts'
import { mailScope } from './mail-settings.ts'
import type { MailValues } from './mail-settings.ts'
import { readScopes } from '../settings/scope.ts'

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
