import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { accounts } from '../../src/accounts/module/accounts-module.ts'
import { defineLanguages } from '../../src/i18n/languages.ts'
import { linkIn } from '../../src/mail/mail-testing.ts'
import type { Boot } from '../../src/project/boot.ts'
import { openStores, storeScopes } from '../../src/project/open-stores.ts'
import { defineProject } from '../../src/project/project.ts'
import { projectServer } from '../../src/testing/project-server.ts'
import type { Visitor } from '../../src/testing/visitor.ts'
import { plantProject } from '../support/plant-project.ts'

const password = 'quiet copper lamp'
const ada = 'ada@example.org'
const layout = `<!doctype html><title><%= it.title %></title><main><%~ it.body %></main>`
const languages = defineLanguages({ default: 'en', messages: { en: {}, de: {}, fr: {} } })

async function serve(t: TestContext, more: Readonly<Record<string, string>> = {}) {
  const root = plantProject(t, { 'views/layouts/main.template.html': layout })
  const module = accounts({ activity: true, mailSignIn: true, emailChange: true })
  const configs = { ...storeScopes, ...module.configs }
  const services = async (boot: Boot<typeof configs>) => {
    const stores = await openStores(boot)
    const site = { title: 'Notes' }
    return { ...stores, site, accounts: await module.open(boot, { ...stores, site }) }
  }
  const project = defineProject({
    name: 'notes',
    configs,
    services,
    accounts: module,
    routes: [],
    languages,
  })
  const env = { APP_KEY: randomBytes(32).toString('hex'), DATABASE_URL: 'sqlite::memory:', ...more }
  const app = await projectServer(project, { root, env, visitors: { tokenPage: '/login' } })
  t.after(() => app.close())
  const visitor = (language: string, browser: string = 'Firefox/140.0'): Visitor => {
    const person = app.visitor({ agent: `Mozilla/5.0 (X11; Linux) ${browser}` })
    person.cookies.set('language', language)
    return person
  }
  /** Somebody with an account in this language. */
  const registered = async (language: string, email = ada): Promise<Visitor> => {
    const person = visitor(language)
    await person.submit('/register', { email, password, password_confirmation: password })
    return person
  }
  return { app, visitor, registered }
}

test('a mail is in the language of whoever gets it, whoever asks for it', async (t) => {
  const { app, visitor, registered } = await serve(t)
  const owner = await registered('de')
  const mail = await app.mails.sent({ to: ada, subject: 'E-Mail-Adresse bestätigen' })
  assert.match(mail.html ?? '', /<html lang="de" dir="ltr">/)
  assert.match(mail.html ?? '', /<strong>24 Stunden<\/strong> lang/)
  assert.match(mail.text ?? '', /^Der Link funktioniert einmal, 24 Stunden lang\.$/m)
  assert.match(mail.text ?? '', /\n-- \nGesendet von Notes, weil diese Adresse dort zu/)
  await owner.open(linkIn(mail))

  const english = visitor('en', 'Chrome/141.0')
  await english.submit('/forgot', { email: ada })
  const reset = await app.mails.sent({ to: ada, subject: 'Setzen Sie Ihr Passwort zurück' })
  assert.match(reset.text ?? '', /\(Chrome \S+ Linux, 10\.[\d.]+\)\. Wenn Sie das waren/)

  await english.submit('/login/mail', { email: ada })
  const code = await app.mails.sent({ to: ada, subject: 'Ihr Anmeldecode' })
  assert.match(code.text ?? '', /^ {4}\d{6}$/m)
  assert.match(code.text ?? '', /10 Minuten lang/)

  await english.submit('/login', { email: ada, password })
  await app.mails.sent({ to: ada, subject: 'Neue Anmeldung bei Ihrem Konto' })
})

test('one to an address without an account, or to an owner without a choice, is in the language of the request', async (t) => {
  const { app, visitor, registered } = await serve(t)
  const owner = await registered('de')
  await owner.open(linkIn(await app.mails.sent({ to: ada })))
  await registered('de', 'grace@example.org')

  const { users } = app.services.accounts
  const grace = await users.fetch('grace@example.org')
  await users.assign(grace?.id ?? '', { language: null })
  await visitor('fr').submit('/forgot', { email: 'grace@example.org' })
  await app.mails.sent({ to: 'grace@example.org', subject: 'Réinitialisez votre mot de passe' })

  await owner.submit('/confirm/password', { password })
  await owner.submit('/account/email', { email: 'new@example.org' })
  const change = { to: 'new@example.org', subject: 'Bestätigen Sie Ihre neue E-Mail-Adresse' }
  const mail = await app.mails.sent(change)
  assert.match(mail.text ?? '', /weil jemand diese Adresse dort eingegeben hat\.$/m)
  await owner.submit(linkIn(mail))
  await app.mails.sent({ to: ada, subject: 'Ihre E-Mail-Adresse wurde geändert' })
})

test('notices that wait, and the mail that tells them, are in the language of the owner', async (t) => {
  const { app, visitor, registered } = await serve(t)
  const owner = await registered('fr')
  await owner.open(linkIn(await app.mails.sent({ to: ada })))
  for (const browser of ['Chrome/1', 'Safari/1', 'Edg/1', 'OPR/1', 'Lynx/1']) {
    await visitor('de', browser).submit('/login', { email: ada, password })
  }
  await app.mails.sent({ to: ada, subject: 'Nouvelle connexion à votre compte' }, 3)
  t.after(app.travel(301))
  await app.services.accounts.mails.gathered.sweep()
  const told = await app.mails.sent({ to: ada, subject: '2 autres événements sur votre compte' })
  assert.equal(told.text?.match(/^- Nouvelle connexion à votre compte$/gm)?.length, 2)
  assert.match(told.text ?? '', /Ce n'était pas moi\nhttp/)
})

test('a queue keeps the language of the request until the account is looked up', async (t) => {
  const { app, visitor, registered } = await serve(t, { MAIL_QUEUE: 'on' })
  await registered('de')
  const { users } = app.services.accounts
  const owner = await users.fetch(ada)
  await visitor('fr').submit('/forgot', { email: ada })
  await app.queues.work('mail')
  await app.queues.work('mail')
  await app.mails.sent({ to: ada, subject: 'Setzen Sie Ihr Passwort zurück' })
  await users.assign(owner?.id ?? '', { language: null })
  await visitor('fr').submit('/login/mail', { email: ada })
  await app.queues.work('mail')
  await app.queues.work('mail')
  await app.mails.sent({ to: ada, subject: 'Votre code de connexion' })
})
