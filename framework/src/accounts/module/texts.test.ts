import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { defineLanguages } from '../../i18n/languages.ts'
import type { ActivityRow } from '../account-activity.ts'
import { describeActivity } from './describe-activity.ts'

const folder = import.meta.dirname
const languages = defineLanguages({ default: 'en', messages: { en: {}, de: {}, fr: {}, es: {} } })
const translated = languages.within([join(folder, 'messages')])
const row: ActivityRow = {
  event: 'login',
  method: 'passkey',
  agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0',
  network: '192.0.2.0/24',
  request: null,
  actor: '1',
  at: 0,
}

for (const [method, title] of Object.entries({
  password: 'Signed in with a password',
  oidc: 'Signed in with an account of another site',
  mail: 'Signed in by mail',
  'password+totp': 'Signed in',
})) {
  test(`a sign-in by ${method} is described as a whole sentence`, () => {
    const { title: shown } = describeActivity({ ...row, method }, '1', translated.in('en'))
    assert.equal(shown, title)
  })
}

test('an event is described in the language of the page', () => {
  const described = describeActivity({ ...row, actor: 'operator' }, '1', translated.in('de'))
  assert.equal(described.title, 'Mit einem Passkey angemeldet')
  assert.equal(described.place, 'Firefox auf Linux')
  assert.equal(described.actor, 'unser Support')
})

test('an event has the icon of what it is about, or of the browser', () => {
  const iconOf = (event: string, method = ''): string =>
    describeActivity({ ...row, event, method }, '1', translated.in('en')).icon
  for (const [icon, ...events] of [
    ['computer', 'login password', 'logout', 'ended'],
    ['key', 'login passkey', 'factor_added passkey', 'passkey_copied'],
    ['shield', 'factor_added totp', 'factor_removed totp', 'recovery_used', 'confirmed password'],
    ['lock', 'changed', 'reset'],
    ['mail', 'email_changed', 'login mail'],
    ['program', 'token_created'],
    ['alert', 'theft', 'failed password', 'suspended'],
  ]) {
    for (const event of events) {
      const [name = '', method] = event.split(' ')
      assert.equal(iconOf(name, method), icon, event)
    }
  }
})

test('each text that a script shows is among those that its page can load', () => {
  const partial = readFileSync(join(folder, 'views/accounts/texts.template.html'), 'utf8')
  const shown = ['app.js', 'passkeys.js', 'settings.js'].flatMap((name) => {
    const script = readFileSync(join(folder, 'public', name), 'utf8')
    // Tables hold texts as lines of their own: sentences, which begin with a capital.
    const found = script.matchAll(/\bt\(\s*'([^']+)'|^ {2}(?:\w+: )?'([A-Z][^']*)',$/gm)
    return [...found].map(([, literal, line]) => literal ?? line ?? '')
  })
  assert.equal(shown.length, 22)
  for (const text of shown) assert.ok(partial.includes(`t('${text}'`), text)
})
