import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { serveDemo } from '../support/demo-tests.ts'
import {
  confirmed,
  password,
  registered,
  signedIn,
  verified,
} from '../../../demo/tests/auth/people.ts'
import { Views } from '../../src/base/templates/views.ts'
import { builtInViews } from '../../src/accounts/module/accounts-module.ts'
import { defineLanguages } from '../../src/i18n/languages.ts'
import { totpCode } from '../../src/accounts/factors/factor-testing.ts'
import type { InjectedRequest, InjectedResponse } from '../../src/http/server/inject.ts'
import { Visitor } from '../../src/testing/visitor.ts'
import { walk } from './demo-walk.ts'
import { unmarkedWords } from './marked-texts.ts'

const demo = join(import.meta.dirname, '..', '..', '..', 'demo')

/** What has one name in every language, or is data: the zone, names of people and of the site, its environment. */
const same = new Set(['UTC', 'Ada', 'Demo', 'localhost', 'Framework', 'demo', 'test'])
/** A greeting in plain text, and pages for developers. */
const untranslated = /^GET \/(?:hello|metrics)\b/
/** Links in the text of mails; names of items. */
const data = /https?:\/\/[^\s<"]+|(?<=<th scope="row">)\w+ \w+/g

test('the pages and mails of the demo have no text that is in no catalogue', async (t) => {
  const app = await serveDemo({ marksTexts: true })
  t.after(() => app.close())
  const found = new Map<string, string>()
  const look = (place: string, html: string): void => {
    if (untranslated.test(place)) return
    for (const word of unmarkedWords(html.replaceAll(data, ''))) {
      // A letter alone is the avatar of an address.
      if (word.length === 1 || word.includes('@') || same.has(word)) continue
      found.set(word, found.get(word) ?? place)
    }
  }
  let pages = 0
  const site = {
    async inject(request: InjectedRequest): Promise<InjectedResponse> {
      const response = await app.inject(request)
      if (response.headers['content-type']?.startsWith('text/html') === true) {
        pages += 1
        look(`${request.method ?? 'GET'} ${request.url}`, response.text)
      }
      return response
    },
  }

  // A guest, whose forms are all refused.
  const guest = new Visitor(site, { tokenPage: '/login' })
  await walk(guest, '/')
  for (const [form, fields] of [
    ['/register', { email: 'x', password: 'short' }],
    ['/register', { email: 'a@b.example', password: 'a@b.example', password_confirmation: 'y' }],
    ['/login', { email: 'a@b.example', password: 'wrong' }],
    ['/forgot', { email: '' }],
    ['/forgot', { email: 'nobody@example.com' }],
    ['/login/mail', { email: 'nobody@example.com' }],
    ['/login/mail/code', { code: '12345678' }],
  ] as const) {
    await guest.submit(form, fields)
  }

  // A member whose address is not verified, and one who has everything.
  const { visitor: newcomer } = await registered(site)
  await newcomer.open('/account/passkeys')
  await newcomer.submit('/account/mailbox/code', { code: '1' })
  const { email } = await verified(app)
  const visitor = await signedIn(site, email)
  await visitor.open('/account/email')
  await visitor.submit('/confirm/password', { password: 'wrong' })
  await confirmed(visitor)
  const { page } = await visitor.submit('/account/two-factor')
  const secret = /<code class="secret">([A-Z2-7 ]+)</.exec(page)?.[1] ?? ''
  await visitor.submit('/account/two-factor/enable', { code: '000000' })
  await visitor.submit('/account/two-factor/enable', { code: totpCode(secret) })
  for (const [form, fields] of [
    ['/account/tokens', { name: '' }],
    ['/account/tokens', { name: 'Till', 'scopes[]': 'account:read', days: '30' }],
    ['/account/email', { email }],
    ['/account/email', { email: 'other@example.com' }],
    ['/account/export', {}],
    ['/account/delete', { email: 'x', password }],
    ['/account/delete', { email, password, confirmation: 'delete' }],
    ['/password', { current: 'wrong', password: 'x' }],
    [
      '/password',
      {
        current: password,
        password: 'violet engine rain',
        password_confirmation: 'violet engine rain',
      },
    ],
  ] as const) {
    await visitor.submit(form, fields)
  }
  await (await signedIn(site, email)).open('/login/factor')
  await confirmed(visitor)
  await walk(visitor, '/account')
  await walk(visitor, '/account/activity')

  const mails = await app.mails.all()
  for (const mail of mails) {
    const subject = mail.header('subject') ?? ''
    look(`the mail ${subject}`, mail.html ?? '')
    assert.match(subject, /^⟦.*⟧$/)
  }
  assert.ok(pages > 60 && mails.length > 4, `${pages} pages, ${mails.length} mails`)
  assert.deepEqual(Object.fromEntries(found), {})
})

for (const status of [400, 403, 404, 405, 409, 413, 415, 422, 429, 500, 503]) {
  test(`the page of ${status} has none either`, () => {
    const views = new Views(join(demo, 'views'), { fallbacks: [builtInViews] })
    const t = defineLanguages({ default: 'en', messages: { en: {} } })
      .marked()
      .in(null)
    const values = { t, identity: null, metrics: false, accounts: { languages: [] } }
    const error = {
      status,
      text: t('Not Found'),
      retryAfter: 90,
      near: [],
      message: '',
      request: 'x',
    }
    assert.deepEqual(unmarkedWords(views.render(`errors/${status}`, { ...values, ...error })), [])
  })
}

test('a word is unmarked unless it stands between marks, in an attribute too', () => {
  const html = `<p lang="de">Ja</p><b>⟦Hello ⟦Ada⟧</b>, <i>you⟧</i> there <a title="⟦x⟧ y" href="z">1</a>`
  assert.deepEqual(unmarkedWords(html), ['there', 'y'])
})
