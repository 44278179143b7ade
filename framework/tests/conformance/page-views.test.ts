import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { builtInViews } from '../../src/accounts/module/accounts-module.ts'
import { htmlText } from '../../src/mail/html-text.ts'
import {
  mailSamples,
  pageSamples,
  sampleForm,
  sampleRecord,
  sampleViews,
} from '../support/page-samples.ts'

const demo = join(import.meta.dirname, '..', '..', '..', 'demo')
const views = sampleViews()
const icons = readFileSync(join(builtInViews, '../public/icons.svg'), 'utf8')

const pages = pageSamples.map((sample) => ({
  ...sample,
  html: views.render(sample.view, sample.data),
}))

function pageOf(name: string): string {
  return pages.find((page) => page.name === name)?.html ?? assert.fail(`there is no sample ${name}`)
}

function loginWith(data: Readonly<Record<string, unknown>>): string {
  const sample = pageSamples.find(({ name }) => name === 'login')
  return views.render('accounts/login', { ...sample?.data, ...data })
}

/** The first groups of all matches. */
function all(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map((match) => match[1] ?? '')
}

test('every page and every mail has a sample', () => {
  const parts = /^(?:layouts|partials)\/|^accounts\/texts$/
  const names = [join(demo, 'views'), builtInViews]
    .flatMap((folder) => globSync('**/*.template.html', { cwd: folder }))
    .map((file) => file.replace(/\.template\.html$/, '').replaceAll('\\', '/'))
    .filter((name) => !parts.test(name))
  const sampled = new Set([...pageSamples, ...mailSamples].map(({ view }) => view))
  const pagesOnly = [...sampled].filter((view) => !parts.test(view))
  assert.deepEqual(pagesOnly.toSorted(), names.toSorted())
})

test('every reference to an id of the page is valid, and ids are unique', () => {
  for (const { name, html } of pages) {
    const ids = all(html, /\sid="([^"]+)"/g)
    const twice = ids.filter((id, at) => ids.indexOf(id) !== at)
    assert.deepEqual(twice, [], name)
    const references = all(
      html,
      /\s(?:for|aria-describedby|aria-labelledby|aria-controls|href)="(?=[^/"])(?!otpauth:)#?([^"]+)"/g,
    ).flatMap((value) => value.split(' '))
    for (const reference of references) assert.ok(ids.includes(reference), `${name} #${reference}`)
  }
})

test('every form that changes something carries the token', () => {
  for (const { name, html } of pages) {
    const forms = all(html, /(<form[^>]*method="post"[\s\S]*?<\/form>)/g)
    for (const form of forms) assert.match(form, /name="_token"/, name)
  }
})

test('no page contains anything that the content security policy blocks', () => {
  const refused = /<script(?![^>]*\ssrc="\/)|<style|\sstyle=|\son\w+=|javascript:/
  for (const { name, html } of pages) assert.doesNotMatch(html, refused, name)
})

test('a page has one description or none, and those of accounts and errors are not for search engines', () => {
  const named = (html: string, name: string): string[] =>
    all(html, new RegExp(`<meta name="${name}" content="([^"]+)">`, 'g'))
  for (const { name, view, html } of pages) {
    const [description = '', ...more] = named(html, 'description')
    assert.deepEqual(more, [], name)
    const isOwn = /^(?:accounts|errors)\//.test(view)
    assert.equal(named(html, 'robots').join(), isOwn && description === '' ? 'noindex' : '', name)
  }
  const described = ['home-guest', 'items', 'login', 'register', 'forgot']
  const texts = described.map((name) => named(pageOf(name), 'description').join())
  assert.equal(new Set([...texts, '']).size, described.length + 1)
})

test('every icon exists', () => {
  for (const { name, html } of pages) {
    for (const icon of all(html, /"\/icons\.svg#([^"]*)"/g)) {
      assert.ok(icons.includes(`<symbol id="${icon}"`), `${name} #${icon}`)
    }
  }
})

test('no password is ever filled in', () => {
  const old = { email: 'ada@example.org', password: 'secret', current: 'secret' }
  for (const { name, view, data } of pageSamples) {
    if (!/^accounts\/(?:register|login|reset|password)$/.test(view)) continue
    assert.doesNotMatch(views.render(view, { ...data, old }), /secret/, name)
  }
})

test('user input is escaped everywhere', () => {
  for (const { name, view, data } of [...pageSamples, ...mailSamples]) {
    assert.doesNotMatch(views.render(view, hostile(data)), /<b>/, name)
  }
})

/** The same data with markup in every string that could come from outside. */
function hostile(data: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const kept = new Set(['csrf', 'kind', 'environment', 'qr', 'home', 'body', 'partial', 'type'])
  const taint = (value: unknown): unknown => {
    if (typeof value === 'string') return `${value}"'><b>`
    if (Array.isArray(value)) return value.map(taint)
    if (typeof value !== 'object' || value === null || value instanceof Date) return value
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [key, kept.has(key) ? inner : taint(inner)]),
    )
  }
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => [key, kept.has(key) ? value : taint(value)]),
  )
}

test('a form escapes its values, choices and errors', () => {
  const errors = { title: ['No'], tags: ['No'], billable: ['No'] }
  for (const values of [{ record: sampleRecord }, { old: { ...sampleRecord, paid: 'x' } }]) {
    const html = views.render('partials/form', hostile({ ...sampleForm, ...values, errors }))
    assert.doesNotMatch(html, /<b>/)
  }
})

test('a field shows what was sent, or else its record', () => {
  const record = pageOf('form-record')
  assert.match(record, /<input id="title"[^>]* value="Train to Vienna"/)
  assert.match(record, /<input id="paid"[^>]* type="date"[^>]* value="2025-11-15"/)
  assert.match(record, /<option value="2" selected>/)
  assert.deepEqual(all(record, /checked value="(\w+)"/g), ['cash', 'travel'])
  assert.match(record, /name="billable" value="1" checked/)
  // Browsers drop the first line break, so there is one more.
  assert.match(record, /<textarea[^>]*>\n\nFirst line is empty<\/textarea>/)
  const sent = pageOf('form-wrong')
  assert.match(sent, /<input id="title"[^>]* required [^>]*aria-invalid="true"/)
  assert.doesNotMatch(sent, /<input id="title"[^>]* value=/)
  assert.match(sent, /<input id="amount"[^>]* value="a lot"/)
  assert.deepEqual(all(sent, /checked value="(\w+)"/g), ['card', 'food'])
  // A box that was not ticked is not sent.
  assert.doesNotMatch(sent, /name="billable" value="1" checked/)
  assert.doesNotMatch(pageOf('form'), / checked| selected/)
})

test('every kind of field has its label, and its hint, unit and errors belong to it', () => {
  const html = pageOf('form-wrong')
  const described = (id: string): string =>
    all(html, new RegExp(`id="${id}"[^>]* aria-describedby="([^"]+)"`, 'g'))[0] ?? ''
  assert.equal(described('people'), 'people-hint people-error')
  assert.equal(described('amount'), 'amount-hint amount-unit amount-error')
  assert.equal(described('receipt'), 'receipt-hint receipt-error')
  assert.equal(described('billable'), 'billable-hint billable-error')
  assert.match(
    html,
    /<fieldset[^>]* role="radiogroup" aria-describedby="method-error" aria-invalid="true">\s*<legend>Paid with</,
  )
  assert.match(html, /<fieldset[^>]* aria-describedby="tags-hint tags-error">\s*<legend>Tags</)
  for (const { name, partial } of sampleForm.fields) {
    if (partial === undefined) assert.ok(html.includes(`<label for="${name}">`), name)
    assert.ok(html.includes(`<a href="#${name}">`), name)
  }
})

test('a form with files is sent in parts, and asks for its method after the token', () => {
  const html = pageOf('form')
  assert.match(
    html,
    /action="\/expenses\/7" method="post" enctype="multipart\/form-data">\s*<input type="hidden" name="_token"[^>]*>\s*<input type="hidden" name="_method" value="PUT">/,
  )
  assert.doesNotMatch(html, /<input id="receipt"[^>]* value=/)
  const plain = { ...sampleForm, method: 'POST', fields: [] }
  assert.doesNotMatch(views.render('partials/form', plain), /_method|enctype/)
})

test('the navigation depends on who is signed in', () => {
  const absent = pageOf('home-without-accounts')
  assert.doesNotMatch(absent, /href="\/(?:login|register|account|mails)"|action="\/logout"/)
  const guest = pageOf('home-guest')
  assert.match(guest, /href="\/login"/)
  assert.match(guest, /href="\/register"/)
  assert.doesNotMatch(guest, /action="\/logout"/)
  const member = pageOf('home-member')
  assert.match(member, /action="\/logout" method="post"/)
  assert.match(member, /Signed in as <strong class="email">ada@example\.org<\/strong>/)
})

test('the home page does not show the environment in production', () => {
  assert.match(pageOf('home-guest'), /<p class="tag">development<\/p>/)
  assert.doesNotMatch(pageOf('home-production'), /class="tag"/)
})

test('the home page leads to the tools in development only', () => {
  const tools = all(pageOf('home-guest'), /<a class="button quiet" href="(\/[a-z]+)" lang="en">/g)
  assert.deepEqual(tools, ['/inspect', '/metrics', '/mails', '/openapi'])
  assert.doesNotMatch(pageOf('home-production'), /\/inspect/)
})

test('a form with errors shows them in its title, its summary and at its fields', () => {
  const html = pageOf('register-errors')
  assert.match(html, /<title>Error: Create account · Framework demo<\/title>/)
  const summary = all(html, /(<div class="summary"[\s\S]*?<\/div>)/g)[0] ?? ''
  assert.match(summary, /tabindex="-1" autofocus/)
  assert.deepEqual(all(summary, /href="#(\w+)"/g), ['email', 'password'])
  const [email = '', password = ''] = all(html, /(<input id="(?:email|password)"[^>]*>)/g)
  assert.match(email, /value="ada@example\.org"/)
  for (const [input, notes] of [
    [email, 'email-hint email-error'],
    [password, 'password-hint password-error'],
  ] as const) {
    assert.ok(input.includes(`aria-describedby="${notes}" aria-invalid="true"`), input)
  }
  assert.doesNotMatch(pageOf('register'), /aria-invalid|class="summary"|autofocus/)
})

test('errors of no field are in the summary too', () => {
  const html = loginWith({ errors: { form: ['Something else is wrong.'] } })
  assert.match(html, /<li>Something else is wrong\.<\/li>/)
})

test('browsers and password managers are told what each field is', () => {
  const expected = {
    register: ['username', 'new-password', 'new-password'],
    login: ['username', 'current-password'],
    forgot: ['username'],
    reset: ['username', 'new-password', 'new-password'],
    password: ['username', 'current-password', 'new-password', 'new-password'],
  }
  for (const [name, kinds] of Object.entries(expected)) {
    assert.deepEqual(all(pageOf(name), /\sautocomplete="([^"]+)"/g), kinds, name)
  }
})

test('the reset form has no action, so that its secret is not on the page', () => {
  assert.match(pageOf('reset'), /<form class="form" method="post">/)
})

test('each place has a button that signs it out, and this browser is marked', () => {
  const html = pageOf('account')
  const rows = html.slice(html.indexOf('class="panel"'), html.indexOf('id="time-zone"'))
  assert.deepEqual(all(rows, /action="([^"]+)" method="post"/g), [
    '/logout',
    '/devices/Vd5rC2nM/revoke',
    '/sessions/q8Zt4yHu/revoke',
  ])
  assert.match(rows, /href="\/logout\/others"/)
  assert.equal(html.match(/This browser/g)?.length, 1)
  assert.equal(html.match(/>Remembered</g)?.length, 2)
  assert.equal(new Set(all(html, /(<button[\s\S]*?<\/button>)/g)).size, 5)
  assert.doesNotMatch(pageOf('account-unverified'), /\/logout\/others|>Remembered</)
})

test('an account shows a verified badge, or a button that sends the link again', () => {
  assert.doesNotMatch(pageOf('account'), /action="\/verify"|Not verified/)
  assert.match(pageOf('account'), /<span class="badge good">[\s\S]{0,200}Verified/)
  assert.match(pageOf('account-unverified'), /action="\/verify" method="post"/)
  assert.match(pageOf('account-unverified'), / data-wait="60">Send the link again</)
  assert.doesNotMatch(pageOf('account-long-name'), /data-wait/)
})

test('an unverified account sees what it cannot add, and why, instead of links to it', () => {
  const html = pageOf('account-unverified')
  const closed = /<a href="\/account\/(?:two-factor|passkeys|tokens)"/
  assert.doesNotMatch(html, closed)
  assert.equal(html.match(/<small>after your e-mail is verified<\/small>/g)?.length, 3)
  assert.match(html, /Until then you cannot add[^<]*: Two-factor, Passkeys, API tokens\./)
  assert.match(pageOf('account'), closed)
  assert.doesNotMatch(pageOf('account'), /is verified<|Until then/)
})

test('the settings list their sections and mark the current one', () => {
  const framed = pages.filter(({ html }) => html.includes('class="sections"'))
  // The path of the section, where it is not that of the view.
  const paths: Readonly<Record<string, string>> = {
    'accounts/account': '/account',
    'accounts/password': '/password',
  }
  for (const { name, view, html } of framed) {
    const [nav = ''] = all(html, /(<nav class="sections"[\s\S]*?<\/nav>)/g)
    const current = all(nav, /href="([^"]+)" aria-current="page"/g)
    assert.deepEqual(current, [paths[view] ?? view.replace('accounts/', '/account/')], name)
  }
  // These ask one thing, or show it only once.
  const alone = new Set([
    'accounts/confirm',
    'accounts/mailbox',
    'accounts/sign-out-others',
    'accounts/recovery-codes',
  ])
  const others = pages.filter(
    ({ view, html }) => html.includes('href="/settings.css"') && !alone.has(view),
  )
  assert.deepEqual(
    others.map(({ name }) => name),
    framed.map(({ name }) => name),
  )
})

test('pages outside the settings do not load their styles and script', () => {
  for (const { name, html } of pages) {
    if (!html.includes('class="who"') || !/href="\/account" aria-current/.test(html)) {
      assert.doesNotMatch(html, /"\/settings\./, name)
    }
  }
})

test('the empty lists of an account say what will be there', () => {
  for (const name of ['tokens-none', 'activity-none']) {
    assert.match(pageOf(name), /<p class="none">[\s\S]*?<span>\w+ /, name)
    assert.doesNotMatch(pageOf(name), /class="rows"/, name)
  }
})

test('few recovery codes are a warning', () => {
  assert.match(pageOf('two-factor-another'), /None left[\s\S]*No recovery codes are left\./)
  assert.doesNotMatch(pageOf('two-factor-on'), / left<\/span>/)
})

test('an error flash is an alert, any other a status', () => {
  assert.match(pageOf('login-refused'), /class="flash error" role="alert"/)
  assert.match(pageOf('forgot-sent'), /class="flash success" role="status"/)
  const unknown = loginWith({ flash: { kind: 'toString', text: 'Hello' } })
  assert.match(unknown, /class="flash info" role="status"/)
})

test('a refused sign-in says what helps, and only that', () => {
  assert.match(
    pageOf('login-refused'),
    /typing errors[^<]*<a href="\/forgot">choose a new one<\/a>/,
  )
  const other = loginWith({ flash: { kind: 'error', text: 'This passkey was not accepted.' } })
  for (const html of [pageOf('login'), other]) assert.doesNotMatch(html, /typing errors/)
})

test('an expired form has its own 403 page', () => {
  assert.match(pageOf('403-expired'), /<h1>This form has expired<\/h1>/)
  assert.match(pageOf('403'), /<h1>Not allowed<\/h1>/)
  assert.match(pageOf('403-link'), /<h1>This link has expired<\/h1>/)
})

test('the rate limit page says how long to wait', () => {
  const shown = (retryAfter: number | null): string =>
    /Wait [^,]+/.exec(views.render('errors/429', { status: 429, retryAfter }))?.[0] ?? ''
  assert.equal(shown(480), 'Wait 8 minutes')
  assert.equal(shown(61), 'Wait 2 minutes')
  assert.equal(shown(1), 'Wait a minute')
  assert.equal(shown(null), 'Wait a moment')
})

test('a page that failed is asked for again by a link, what a form sent is not', () => {
  const again = /<a class="button" href="">Try again<\/a>/
  for (const name of ['429', '500', '503']) assert.match(pageOf(name), again, name)
  for (const name of ['404', '422']) assert.doesNotMatch(pageOf(name), again, name)
  const sample = pageSamples.find(({ name }) => name === '500')
  assert.doesNotMatch(views.render('errors/500', { ...sample?.data, again: false }), again)
})

test('the page of an unknown address leads to a search', () => {
  assert.match(pageOf('404'), /role="search" action="\/items">[\s\S]*<input id="search" name="q"/)
  assert.doesNotMatch(pageOf('404-developer'), /role="search"/)
})

const mails = mailSamples.map(({ name, view, data }) => {
  const html = views.render(view, data)
  // The last mail about an account has none.
  const link = 'link' in data ? String(data['link']) : null
  return { name, data, link, html, text: htmlText(html) }
})

test('text and HTML of a mail say the same, with the link as text too', () => {
  for (const { name, data, link, html, text } of mails) {
    const when = 'lifetime' in data ? String(data['lifetime']) : '2025-11-15 09:46 UTC'
    for (const body of [html, text]) {
      for (const part of [link ?? '', when, 'Framework demo']) {
        assert.ok(body.includes(part), name)
      }
      // The mail about an error goes to an operator.
      if (!('group' in data || link === null)) assert.match(body, /ignore this message/, name)
    }
    if (link !== null) assert.ok(html.includes(`>${link}</a>`), name)
  }
})

test('the text of a mail has no markup, no second time what it links to, and each link on a line of its own', () => {
  for (const { name, text, link } of mails) {
    assert.doesNotMatch(text, /[<>]|&\w+;/, name)
    const lines = text.split('\n')
    for (const line of lines) assert.match(line, /^ *https:\/\/\S+$|^(?!.*https:)/, name)
    if (link !== null) assert.equal(lines.filter((line) => line === link).length, 1, name)
    assert.doesNotMatch(text, /copy this address/, name)
  }
})

test('the HTML of a mail loads nothing and runs nothing', () => {
  const refused = /<img|<script|<link|\ssrc=|url\(|@import/
  for (const { name, html } of mails) assert.doesNotMatch(html, refused, name)
})
