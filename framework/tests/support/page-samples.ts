import { join } from 'node:path'
import { builtInViews } from '../../src/accounts/module/accounts-module.ts'
import { qrSvg } from '../../src/base/encoding/qr-svg.ts'
import { Views } from '../../src/base/templates/views.ts'
import type { ViewsOptions } from '../../src/base/templates/views.ts'
import { pageNumbers } from '../../src/http/lists/list-page.ts'
import { defineRoutes } from '../../src/http/urls/define-routes.ts'
import type { Languages } from '../../src/i18n/languages.ts'

/** A page with sample data. */
export interface PageSample {
  /** Its name in tests and screenshots. */
  readonly name: string
  readonly view: string
  readonly data: Readonly<Record<string, unknown>>
}

/** The current time of the samples, epoch seconds. */
export const sampleNow = 1_763_200_000

const site = { title: 'Framework demo', environment: 'development', mails: true }
const accounts = {
  registration: true,
  secondFactor: true,
  passkeys: true,
  mailSignIn: true,
  apiTokens: true,
  languages: [],
  sections: [
    { id: 'profile', href: '/account', icon: 'user', name: 'Profile' },
    { id: 'email', href: '/account/email', icon: 'mail', name: 'E-mail' },
    { id: 'password', href: '/password', icon: 'lock', name: 'Password' },
    { id: 'two-factor', href: '/account/two-factor', icon: 'shield', name: 'Two-factor' },
    { id: 'passkeys', href: '/account/passkeys', icon: 'key', name: 'Passkeys' },
    { id: 'sign-ins', href: '/account/sign-ins', icon: 'link', name: 'Connected accounts' },
    { id: 'tokens', href: '/account/tokens', icon: 'program', name: 'API tokens' },
    { id: 'access', href: '/account/access', icon: 'shield', name: 'Ways in' },
    { id: 'devices', href: '/account#devices', icon: 'computer', name: 'Devices and sessions' },
    { id: 'activity', href: '/account/activity', icon: 'clock', name: 'Activity' },
    { id: 'export', href: '/account/export', icon: 'file', name: 'Your data' },
    { id: 'delete', href: '/account/delete', icon: 'alert', name: 'Delete account' },
  ],
}
const inLanguages = {
  ...accounts,
  languages: [
    { language: 'en', name: 'English' },
    { language: 'de', name: 'Deutsch' },
  ],
}
const csrf = '<input type="hidden" name="_token" value="sample">'
const verified = { id: '1', email: 'ada@example.org', verified: true }
const unverified = { ...verified, verified: false }
const longName = {
  id: '2',
  email: 'a.very.long.name.that.does.not.fit@department.of.long.names.example.org',
  verified: false,
}

const route = defineRoutes({ hello: '/hello/:name' })
const shared = { route, csrf, accounts, flash: null, errors: null, old: null }
const guest = { ...shared, fields: [], site, metrics: true, identity: null }
const member = { ...guest, identity: verified }
const account = { ...member, zones: ['Europe/Berlin', 'UTC'], zone: 'UTC', now: sampleNow }
const failure = {
  request: '4f1c2a9e-6f0a-4f5e-9d55-0a3f8f0f9a11',
  message: '',
  near: [],
  retryAfter: null,
  again: true,
}

const place = {
  name: 'Firefox on Linux',
  kind: 'computer',
  peer: '192.0.2.17',
  used: sampleNow - 20,
  current: true,
  remembered: true,
  expires: sampleNow + 2_500_000,
  action: '/logout',
}
const ways = [
  {
    kind: 'Passkey',
    name: 'Chromium on Windows',
    icon: 'key',
    added: sampleNow - 90_000,
    isNew: true,
    stays: false,
    page: '/account/passkeys',
  },
  {
    kind: 'API token',
    name: 'A backup with quite a long name that somebody has typed',
    icon: 'program',
    added: sampleNow - 400_000,
    isNew: true,
    stays: false,
    page: '/account/tokens',
  },
  {
    kind: 'Authenticator app',
    name: '',
    icon: 'shield',
    added: sampleNow - 9_000_000,
    isNew: false,
    stays: true,
    page: '/account/two-factor',
  },
]
const places = [
  place,
  {
    ...place,
    name: 'Safari on iPhone',
    kind: 'phone',
    peer: '2001:db8:85a3:8d3:1319:8a2e:370:7348',
    used: sampleNow - 8000,
    current: false,
    expires: sampleNow + 1_600_000,
    action: '/devices/Vd5rC2nM/revoke',
  },
  {
    ...place,
    name: 'curl',
    kind: 'program',
    peer: '198.51.100.4',
    used: sampleNow - 70_000,
    current: false,
    remembered: false,
    expires: null,
    action: '/sessions/q8Zt4yHu/revoke',
  },
]

const event = {
  title: 'Signed in with a password',
  place: 'Firefox on Linux',
  icon: 'computer',
  network: '192.0.2.0/24',
  at: sampleNow - 20,
  actor: null,
  isWarning: false,
}
const events = [
  event,
  {
    ...event,
    title: 'A copied cookie was used, and every browser was signed out',
    place: 'Safari on iPhone',
    icon: 'alert',
    network: '2001:db8:85a3::/48',
    at: sampleNow - 8000,
    isWarning: true,
  },
  { ...event, title: 'Password changed', at: sampleNow - 90_000, actor: 'our support' },
]

const secretKey = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'
const setup = {
  secret: secretKey,
  uri: `otpauth://totp/Demo:ada%40example.org?secret=${secretKey}&issuer=Demo`,
}
const qr = await qrSvg(setup.uri)
const tokenForm = {
  scopes: [
    { name: 'account:read', text: 'Read your e-mail address, and whether it is verified' },
    { name: 'places:read', text: 'Read where you are signed in' },
  ],
  days: [7, 30, 90, 365],
}
const token = {
  handle: '0123456789abcdef',
  name: 'Backup',
  scopes: ['account:read', 'places:read'],
  created: sampleNow - 90_000,
  expires: sampleNow + 2_500_000,
  used: sampleNow - 60,
}
const tokens = [token, { ...token, handle: 'fedcba9876543210', name: 'CI', used: null }]

const passkey = {
  handle: '0123456789abcdef'.repeat(4),
  name: 'Chrome on Android',
  verifies: true,
  synced: true,
  created: sampleNow - 90_000,
  used: sampleNow - 60,
}
const passkeys = [
  passkey,
  { ...passkey, name: 'Security key', verifies: false, synced: false, used: null },
]
const newPasskey = {
  suggested: 'Firefox on Linux',
  isUsable: true,
  local: 'http://localhost:9000',
}
const sites = [
  { name: 'company', label: 'Company' },
  { name: 'university', label: 'University of Long Names' },
]

const items = Array.from({ length: 10 }, (_, index) => ({
  id: index + 1,
  name: ['Oak chair', 'Copper kettle', 'Garden lantern', 'Reading lamp', 'Stoneware bowl'][
    index % 5
  ],
  category: ['Living', 'Kitchen', 'Garden', 'Study', 'Kitchen'][index % 5],
  price: (index * 37.5 + 12.9).toFixed(2),
  stock: index % 4 === 3 ? 0 : index * 7,
  createdAt: new Date((sampleNow - index * 86_400) * 1000),
}))
const list = {
  query: {
    filters: { q: 'o', category: 'Kitchen', available: false },
    fields: { added: '2025-11-15' },
    timeZone: 'Europe/Berlin',
    sort: 'name',
    cursor: null,
  },
  choices: {
    categories: ['Kitchen', 'Living', 'Garden', 'Study'],
    orders: [
      { value: 'name', label: 'Name' },
      { value: 'cheapest', label: 'Cheapest first' },
    ],
    limits: [10, 25, 50, 100],
  },
}
const links = {
  prev: null,
  next: null,
  numbers: [],
  byPage: '/items?limit=10&page=1',
  byCursor: '/items?limit=10&cursor=',
}
const href = (page: number): string => `/items?limit=10&page=${page}`
const byPage = {
  ...list,
  list: {
    items,
    mode: 'page',
    page: 5,
    pages: 90,
    limit: 10,
    total: 900,
    links: {
      ...links,
      prev: href(4),
      next: href(6),
      numbers: pageNumbers({ page: 5, pages: 90, href }),
    },
  },
}
const byCursor = {
  ...list,
  query: { ...list.query, cursor: 'WyJPYWsiLDdd' },
  list: { items, mode: 'cursor', limit: 10, next: null, links },
}

/** A field of a form. */
export interface SampleField {
  readonly name: string
  readonly partial?: string
  readonly label?: string
  readonly legend?: string
  /** Of its partial. */
  readonly [value: string]: unknown
}

/** A form with every kind of field. */
export const sampleForm: {
  readonly fields: readonly SampleField[]
  readonly [value: string]: unknown
} = {
  csrf,
  action: '/expenses/7',
  method: 'PUT',
  submit: 'Save the expense',
  fields: [
    { name: 'title', label: 'Title', autocomplete: 'off', attributes: { maxlength: 80 } },
    { name: 'contact', label: 'Contact', type: 'email', autocomplete: 'email', required: false },
    {
      name: 'people',
      label: 'People',
      type: 'number',
      hint: 'Among whom it is shared.',
      attributes: { min: 1, max: 20 },
    },
    { name: 'amount', label: 'Amount', type: 'money', unit: 'EUR', hint: 'With taxes.' },
    { name: 'paid', label: 'Paid on', type: 'date' },
    {
      name: 'project',
      label: 'Project',
      type: 'select',
      empty: 'Choose a project',
      options: [
        { value: 1, text: 'Garden' },
        { value: 2, text: 'Renovation of the department of long names in the old town hall' },
      ],
    },
    {
      partial: 'choices',
      name: 'method',
      legend: 'Paid with',
      type: 'radio',
      required: true,
      choices: [
        { value: 'card', text: 'Card' },
        { value: 'cash', text: 'Cash' },
      ],
    },
    {
      partial: 'choices',
      name: 'tags',
      legend: 'Tags',
      type: 'checkbox',
      hint: 'As many as you like.',
      choices: [
        { value: 'travel', text: 'Travel' },
        { value: 'food', text: 'Food', code: 'food' },
      ],
    },
    { partial: 'checkbox', name: 'billable', label: 'Billable', hint: 'The customer pays it.' },
    { name: 'notes', label: 'Notes', type: 'textarea', required: false, attributes: { rows: 4 } },
    {
      name: 'receipt',
      label: 'Receipt',
      type: 'file',
      hint: 'A photo or a PDF.',
      required: false,
      attributes: { accept: 'image/*,.pdf' },
    },
  ],
}

/** What an edit form gets. */
export const sampleRecord: Readonly<Record<string, unknown>> = {
  title: 'Train to Vienna',
  people: 2,
  amount: '48.20',
  paid: new Date(sampleNow * 1000),
  project: 2,
  method: 'cash',
  tags: ['travel'],
  billable: true,
  notes: '\nFirst line is empty',
}

// By its URL: the demo is compiled on its own, with other rules.
const { languages }: { readonly languages: Languages } = await import(
  new URL('../../../demo/languages.ts', import.meta.url).href
)

/** The views of the demo in English, and those that are built in. */
export function sampleViews(options: ViewsOptions = {}): Views {
  const demo = join(import.meta.dirname, '..', '..', '..', 'demo')
  const globals = { t: languages.in('en') }
  return new Views(join(demo, 'views'), { globals, ...options, fallbacks: [builtInViews] })
}

/** A page with a part that no page of the project needs as it is. */
function pageOfForm(name: string, data: Readonly<Record<string, unknown>>): PageSample {
  const views = sampleViews()
  const heading = '<header class="sheet-head"><h1>Edit the expense</h1></header>'
  const form = views.render('partials/form', { ...sampleForm, ...data })
  const body = `<section class="sheet">${heading}${form}</section>`
  const layout = { ...member, title: 'Edit the expense', shape: 'narrow', body }
  return page(name, 'layouts/main', { ...layout, ...data })
}

const wrongEmail = { email: ['This e-mail is already registered.'] }
const wrongPassword = { password: ['This password is among the most common ones. Choose another.'] }

/** Every page of the project, in each of its states. */
export const pageSamples: readonly PageSample[] = [
  page('home-without-accounts', 'home', { route, site: { ...site, mails: false } }),
  page('home-guest', 'home', guest),
  page('home-production', 'home', {
    ...guest,
    site: { ...site, environment: 'production', mails: false },
  }),
  page('home-member', 'home', { ...member, flash: { kind: 'success', text: 'Signed in.' } }),
  page('home-languages', 'home', { ...member, accounts: inLanguages }),
  page('home-long-name', 'home', { ...guest, identity: longName }),
  page('hello', 'hello', { ...guest, greeting: 'Hello, Ada!', name: 'Ada' }),
  page('register', 'accounts/register', guest),
  page('register-errors', 'accounts/register', {
    ...guest,
    errors: { ...wrongPassword, ...wrongEmail },
    old: { email: 'ada@example.org' },
  }),
  page('login', 'accounts/login', guest),
  page('login-sites', 'accounts/login', { ...guest, sites }),
  page('leave', 'accounts/leave', { ...guest, label: 'Company', url: '/elsewhere' }),
  page('login-refused', 'accounts/login', {
    ...guest,
    flash: { kind: 'error', text: 'Invalid credentials.' },
    old: { email: 'ada@example.org', remember: '1' },
  }),
  page('login-passkeys', 'accounts/login', { ...guest, passkeys: true }),
  page('login-every-way', 'accounts/login', { ...guest, passkeys: true, sites }),
  page('forgot', 'accounts/forgot', guest),
  page('forgot-sent', 'accounts/forgot', {
    ...guest,
    flash: { kind: 'success', text: 'If that e-mail exists, we sent a password reset link.' },
    sent: 'ada@example.org',
  }),
  page('mail-login', 'accounts/mail-login', guest),
  page('mail-login-wrong', 'accounts/mail-login', {
    ...guest,
    errors: { email: ['This is not an e-mail address.'] },
    old: { email: 'ada', remember: '1' },
  }),
  page('mail-code', 'accounts/mail-code', {
    ...guest,
    flash: { kind: 'success', text: 'If that e-mail has an account, we sent a code to it.' },
    email: 'ada@example.org',
    remember: true,
    wait: 60,
  }),
  page('mail-code-wrong', 'accounts/mail-code', {
    ...guest,
    flash: {
      kind: 'error',
      text: 'This code is wrong or no longer valid. You can ask for a new one.',
    },
    email: longName.email,
    remember: false,
    wait: 0,
  }),
  page('mail-link', 'accounts/mail-link', { ...guest, email: 'ada@example.org' }),
  page('mail-link-elsewhere', 'accounts/mail-link', { ...guest, email: null }),
  page('verify', 'accounts/verify', { ...guest, email: 'ada@example.org' }),
  page('reset', 'accounts/reset', guest),
  page('reset-errors', 'accounts/reset', { ...guest, errors: wrongPassword }),
  page('password', 'accounts/password', { ...member, has: true }),
  page('password-none', 'accounts/password', { ...member, has: false }),
  page('password-errors', 'accounts/password', {
    has: true,
    ...member,
    errors: { current: ['Current password is incorrect.'], password: ['Both must be the same.'] },
  }),
  page('account', 'accounts/account', { ...account, places, due: null }),
  page('account-reset', 'accounts/account', { ...account, places, due: null, ways }),
  page('account-deletion', 'accounts/account', { ...account, places, due: sampleNow + 500_000 }),
  page('account-unverified', 'accounts/account', {
    ...account,
    identity: unverified,
    places: [{ ...place, remembered: false, expires: null }],
    sent: true,
    due: null,
    flash: {
      kind: 'success',
      text: 'Account created! Check your inbox for the verification link.',
    },
  }),
  page('account-long-name', 'accounts/account', {
    ...account,
    identity: longName,
    places,
    due: null,
  }),
  page('confirm', 'accounts/confirm', { ...member, methods: ['password'] }),
  page('confirm-both', 'accounts/confirm', { ...member, methods: ['password', 'totp', 'passkey'] }),
  page('confirm-without-password', 'accounts/confirm', { ...member, methods: [] }),
  page('confirm-refused', 'accounts/confirm', {
    ...member,
    methods: ['password'],
    errors: { password: ['This password is not correct.'] },
  }),
  page('confirm-factor', 'accounts/confirm', { ...member, methods: ['totp', 'passkey'] }),
  page('access', 'accounts/access', { ...member, ways, hasPassword: true }),
  page('access-none', 'accounts/access', { ...member, ways: [], hasPassword: true }),
  page('access-without-password', 'accounts/access', { ...member, ways, hasPassword: false }),
  page('undo', 'accounts/undo', { ...guest, kind: 'passkey', ways: [] }),
  page('undo-all', 'accounts/undo', { ...guest, kind: 'all', ways }),
  page('mailbox', 'accounts/mailbox', { ...member, isSent: false }),
  page('mailbox-code', 'accounts/mailbox', {
    ...member,
    identity: longName,
    isSent: true,
    errors: { code: ['This code is wrong or no longer valid.'] },
  }),
  page('factor', 'accounts/factor', { ...guest, factors: ['totp'], asked: ['code'] }),
  page('factor-refused', 'accounts/factor', {
    ...guest,
    factors: ['totp'],
    asked: ['code'],
    flash: { kind: 'error', text: 'This code is not correct.' },
  }),
  page('two-factor', 'accounts/two-factor', { ...member, status: null, setup: null, qr: null }),
  page('two-factor-setup', 'accounts/two-factor', { ...member, status: null, setup, qr }),
  page('two-factor-wrong', 'accounts/two-factor', {
    ...member,
    status: null,
    setup,
    qr,
    errors: { code: ['This code is not correct. Enter the one that your app shows now.'] },
  }),
  page('two-factor-on', 'accounts/two-factor', {
    ...member,
    status: { since: sampleNow - 90_000, codes: 9 },
    setup: null,
    qr: null,
  }),
  page('two-factor-another', 'accounts/two-factor', {
    ...member,
    status: { since: sampleNow - 90_000, codes: 0 },
    setup,
    qr,
  }),
  page('recovery-codes', 'accounts/recovery-codes', {
    next: '/account/two-factor',
    ...member,
    codes: Array.from({ length: 10 }, (_, index) => `mzxw-6ytb-oi2g-k5d${'abcdefghij'[index]}`),
  }),
  page('factor-passkey', 'accounts/factor', {
    ...guest,
    factors: ['passkey', 'totp'],
    asked: ['passkey', 'code'],
  }),
  page('factor-passkey-only', 'accounts/factor', {
    ...guest,
    factors: ['passkey'],
    asked: ['passkey'],
  }),
  page('confirm-passkey', 'accounts/confirm', { ...member, methods: ['password', 'passkey'] }),
  page('confirm-every-way', 'accounts/confirm', {
    ...member,
    methods: ['password', 'passkey', 'totp'],
  }),
  page('passkeys', 'accounts/passkeys', { ...member, passkeys, ...newPasskey }),
  page('passkeys-none', 'accounts/passkeys', { ...member, passkeys: [], ...newPasskey }),
  page('passkeys-unusable', 'accounts/passkeys', {
    ...member,
    passkeys: [],
    ...newPasskey,
    isUsable: false,
  }),
  page('tokens', 'accounts/tokens', { ...member, ...tokenForm, tokens, created: null }),
  page('tokens-long-name', 'accounts/tokens', {
    ...member,
    ...tokenForm,
    tokens: [{ ...token, name: 'nightly-backup-of-the-department-of-long-names-in-the-old-town' }],
    created: null,
  }),
  page('tokens-none', 'accounts/tokens', { ...member, ...tokenForm, tokens: [], created: null }),
  page('tokens-created', 'accounts/tokens', {
    ...member,
    ...tokenForm,
    tokens,
    created: {
      name: 'Backup',
      value: `fw_0123456789abcdef_${'0123456789abcdef'.repeat(4)}d6cd92ec`,
    },
  }),
  page('tokens-wrong', 'accounts/tokens', {
    ...member,
    ...tokenForm,
    tokens: [],
    created: null,
    errors: {
      name: ['Please enter a name.'],
      scopes: ['Choose at least one thing that it may do.'],
      days: ['Choose when it expires.'],
    },
    old: { name: '', days: '4' },
  }),
  page('sign-ins', 'accounts/sign-ins', {
    ...member,
    sites: sites.map(({ name, label }, at) => ({
      name,
      label,
      since: at === 0 ? sampleNow - 90_000 : null,
    })),
  }),
  page('sign-out-others', 'accounts/sign-out-others', member),
  page('email', 'accounts/email', { ...member, sent: null }),
  page('email-wrong', 'accounts/email', {
    ...member,
    sent: null,
    errors: { email: ['This is not an e-mail address.'] },
    old: { email: 'ada' },
  }),
  page('email-sent', 'accounts/email', {
    ...member,
    sent: 'ada@new.example',
    flash: {
      kind: 'success',
      text: 'We sent a link to your new address. Nothing changes before you open it.',
    },
  }),
  page('email-long-name', 'accounts/email', {
    ...member,
    identity: longName,
    sent: `new.${longName.email}`,
  }),
  page('email-confirm', 'accounts/email-confirm', { ...member, email: 'ada@new.example' }),
  page('email-elsewhere', 'accounts/email-elsewhere', guest),
  page('email-undo', 'accounts/email-undo', { ...guest, email: longName.email }),
  page('delete', 'accounts/delete', { ...member, due: null, days: 7 }),
  page('delete-due', 'accounts/delete', { ...member, due: sampleNow + 500_000, days: 7 }),
  page('keep', 'accounts/keep', { ...guest, due: sampleNow + 500_000 }),
  page('export', 'accounts/export', { ...member, copy: null }),
  page('export-waiting', 'accounts/export', {
    ...member,
    copy: { state: 'waiting', size: 0, expires: sampleNow + 170_000 },
  }),
  page('export-ready', 'accounts/export', {
    ...member,
    copy: { state: 'ready', size: 48_213, expires: sampleNow + 170_000 },
  }),
  page('activity', 'accounts/activity', { ...member, events, next: 'WzE3XQ' }),
  page('activity-oldest', 'accounts/activity', { ...member, events: [event], next: null }),
  page('activity-none', 'accounts/activity', { ...member, events: [], next: null }),
  pageOfForm('form', {}),
  pageOfForm('form-record', { record: sampleRecord }),
  pageOfForm('form-wrong', {
    record: sampleRecord,
    old: { title: '', amount: 'a lot', method: 'card', tags: ['food'], notes: 'Again' },
    errors: Object.fromEntries(
      sampleForm.fields.map(({ name, label, legend }) => [
        name,
        [`Check this: ${label ?? legend}.`],
      ]),
    ),
  }),
  page('items', 'items', { ...guest, ...byPage }),
  page('items-by-cursor', 'items', { ...member, ...byCursor }),
  page('items-none', 'items', {
    ...guest,
    ...byPage,
    list: { items: [], mode: 'page', page: 1, pages: 0, limit: 10, total: 0, links },
  }),
  page('invalid-cursor', 'invalid-cursor', {
    ...guest,
    message: 'the cursor is not one of this list; start again without a cursor',
    start: '/items?q=oak&cursor=',
  }),
  page('400', 'errors/400', {
    ...guest,
    ...failure,
    status: 400,
    text: 'Bad Request',
    message: 'The query of this address is invalid. order: must be one of name, cheapest.',
  }),
  page('403', 'errors/403', { ...member, ...failure, status: 403, text: 'Forbidden' }),
  page('403-link', 'errors/403', {
    ...guest,
    ...failure,
    message: 'This link has expired.',
    status: 403,
    text: 'Forbidden',
  }),
  page('403-expired', 'errors/403', {
    ...guest,
    ...failure,
    message: 'Invalid CSRF token',
    status: 403,
    text: 'Forbidden',
  }),
  page('404', 'errors/404', {
    ...guest,
    ...failure,
    site: { ...site, search: { action: '/items', name: 'q' } },
    status: 404,
    text: 'Not Found',
  }),
  page('404-developer', 'errors/404', {
    ...guest,
    ...failure,
    message: 'no route answers GET /itms',
    near: ['GET /items', 'GET /'],
    status: 404,
    text: 'Not Found',
  }),
  page('405', 'errors/405', { ...member, ...failure, status: 405, text: 'Method Not Allowed' }),
  page('409', 'errors/409', {
    ...member,
    ...failure,
    message: 'This form was already sent.',
    status: 409,
    text: 'Conflict',
  }),
  page('409-conflict', 'errors/409', {
    ...guest,
    ...failure,
    message: 'Only two are left.',
    status: 409,
    text: 'Conflict',
  }),
  page('413', 'errors/413', { ...guest, ...failure, status: 413, text: 'Content Too Large' }),
  page('415', 'errors/415', { ...guest, ...failure, status: 415, text: 'Unsupported Media Type' }),
  page('422', 'errors/422', {
    ...guest,
    ...failure,
    message: 'The query of this address is invalid. page: Enter a number.',
    status: 422,
    text: 'Unprocessable Entity',
  }),
  page('429', 'errors/429', {
    ...guest,
    ...failure,
    retryAfter: 480,
    status: 429,
    text: 'Too Many Requests',
  }),
  page('500', 'errors/500', { ...failure, status: 500, text: 'Internal Server Error' }),
  page('503', 'errors/503', { ...guest, ...failure, status: 503, text: 'Service Unavailable' }),
]

const mail = { site, home: 'https://demo.example' }
const secret = '1f2e3d4c5b6a7988/8f1a0c3d5e7b9f2468ace013579bdf8f1a0c3d5e7b9f2468ace013579bdf8f1a'
const undoLink = `https://demo.example/account/undo/${secret}`

/** Every mail of the project. */
export const mailSamples: readonly PageSample[] = [
  page('mail-verify', 'mails/verify', {
    ...mail,
    link: `https://demo.example/verify/${secret}`,
    lifetime: '24 hours',
  }),
  page('mail-reset', 'mails/reset', {
    ...mail,
    link: `https://demo.example/reset/${secret}`,
    lifetime: '1 hour',
    place: 'Safari on iPhone, 2001:db8:85a3:8d3:1319:8a2e:370:7348',
  }),
  page('mail-sign-in', 'mails/sign-in', {
    ...mail,
    code: '052814',
    link: `https://demo.example/login/mail/${secret}`,
    lifetime: '10 minutes',
    place: 'Safari on iPhone, 2001:db8:85a3:8d3:1319:8a2e:370:7348',
  }),
  page('mail-password-removed', 'mails/password-removed', {
    ...mail,
    link: `https://demo.example/reset/${secret}`,
    lifetime: '1 hour',
    at: sampleNow,
    place: 'Firefox on Linux, 203.0.113.9',
  }),
  page('mail-ended', 'mails/ended', {
    ...mail,
    link: 'https://demo.example/forgot',
    at: sampleNow,
    place: 'our support',
  }),
  page('mail-signed-out', 'mails/signed-out', {
    ...mail,
    link: 'https://demo.example/forgot',
    at: sampleNow,
    place: 'Firefox on Linux, 203.0.113.9',
  }),
  page('mail-password-changed', 'mails/password-changed', {
    ...mail,
    link: undoLink,
    at: sampleNow,
    place: 'Firefox on Linux, 203.0.113.9',
    ways: [],
  }),
  page('mail-password-changed-ways', 'mails/password-changed', {
    ...mail,
    link: undoLink,
    at: sampleNow,
    place: 'Firefox on Linux, 203.0.113.9',
    ways,
  }),
  page('mail-mailbox-code', 'mails/mailbox-code', {
    ...mail,
    code: '052814',
    link: 'https://demo.example/forgot',
    lifetime: '10 minutes',
    place: 'Safari on iPhone, 2001:db8:85a3:8d3:1319:8a2e:370:7348',
  }),
  page('mail-factor-asked', 'mails/factor-asked', {
    ...mail,
    link: 'https://demo.example/forgot',
    at: sampleNow,
    place: 'Firefox on Linux, 203.0.113.9',
  }),
  page('mail-new-device', 'mails/new-device', {
    ...mail,
    link: 'https://demo.example/forgot',
    at: sampleNow,
    place: 'Firefox on Linux, 203.0.113.9',
  }),
  page('mail-factor-changed', 'mails/factor-changed', {
    ...mail,
    subject: 'A second step was added to your sign-in',
    method: 'totp',
    link: undoLink,
    isUndo: true,
    at: sampleNow,
    place: 'Firefox on Linux, 203.0.113.9',
  }),
  page('mail-recovery-codes', 'mails/recovery-codes', {
    ...mail,
    subject: 'A recovery code was used for your account',
    link: 'https://demo.example/forgot',
    at: sampleNow,
    place: 'Firefox on Linux, 203.0.113.9',
  }),
  page('mail-passkey-changed', 'mails/passkey-changed', {
    ...mail,
    subject: 'A passkey was added to your account',
    link: undoLink,
    isUndo: true,
    at: sampleNow,
    place: 'Firefox on Linux, 203.0.113.9',
  }),
  page('mail-passkey-removed', 'mails/passkey-changed', {
    ...mail,
    subject: 'A passkey was removed from your account',
    link: 'https://demo.example/account/passkeys',
    isUndo: false,
    at: sampleNow,
    place: 'Firefox on Linux, 203.0.113.9',
  }),
  page('mail-passkey-copied', 'mails/passkey-copied', {
    ...mail,
    link: 'https://demo.example/account/passkeys',
    at: sampleNow,
    place: 'Firefox on Linux, 203.0.113.9',
  }),
  page('mail-token-created', 'mails/token-created', {
    ...mail,
    id: '0123abcd',
    link: undoLink,
    at: sampleNow,
    place: 'Firefox on Linux, 203.0.113.9',
  }),
  page('mail-email-change', 'mails/email-change', {
    ...mail,
    link: `https://demo.example/account/email/${secret}`,
    lifetime: '1 hour',
    place: 'Safari on iPhone, 2001:db8:85a3:8d3:1319:8a2e:370:7348',
  }),
  page('mail-email-taken', 'mails/email-taken', {
    ...mail,
    link: 'https://demo.example/login',
    at: sampleNow,
    place: 'Safari on iPhone, 2001:db8:85a3:8d3:1319:8a2e:370:7348',
  }),
  page('mail-email-changed', 'mails/email-changed', {
    ...mail,
    link: `https://demo.example/email/undo/${secret}`,
    at: sampleNow,
    place: 'Firefox on Linux, 203.0.113.9',
  }),
  page('mail-deletion', 'mails/deletion', {
    ...mail,
    link: `https://demo.example/account/keep/${secret}`,
    at: sampleNow,
    place: 'Firefox on Linux, 203.0.113.9',
  }),
  page('mail-deleted', 'mails/deleted', { ...mail, at: sampleNow }),
  page('mail-gathered', 'mails/gathered', {
    ...mail,
    subject: '12 more things happened on your account',
    link: 'https://demo.example/forgot',
    notices: Array.from({ length: 12 }, (_, nth) => ({
      subject: nth === 11 ? 'Your account will be deleted' : 'New sign-in to your account',
      happened: sampleNow + nth * 20,
      place: `Firefox on Linux, 203.0.113.${nth}`,
      ...(nth === 11 && {
        action: { label: 'Keep my account', link: `https://demo.example/account/keep/${secret}` },
      }),
    })),
  }),
  page('mail-export-ready', 'mails/export-ready', {
    ...mail,
    link: 'https://demo.example/account/export',
    at: sampleNow,
  }),
  page('mail-identity-changed', 'mails/identity-changed', {
    ...mail,
    subject: 'Your account was connected with another site',
    link: undoLink,
    isUndo: true,
    at: sampleNow,
    place: 'Firefox on Linux, 203.0.113.9',
  }),
]

function page(name: string, view: string, data: PageSample['data']): PageSample {
  return { name, view, data }
}
