import assert from 'node:assert/strict'
import { test } from 'node:test'
import { passwordProblem } from './password-rules.ts'

const email = 'ada@example.org'

test('an uncommon password of at least eight characters is accepted', () => {
  assert.equal(passwordProblem('vq7 tin lamp', { email }), null)
  assert.equal(passwordProblem('kzuwqobr', { email }), null)
  assert.equal(passwordProblem('жщюъдфгы', { email }), null)
  assert.equal(passwordProblem('🦊🚲🎻🌵🧭🪁🍋🐙', { email }), null)
})

test('characters are counted, not bytes or code units', () => {
  const text = 'Use at least 8 characters.'
  assert.equal(passwordProblem('kzuwqob', { email }), text)
  assert.equal(passwordProblem('', { email }), text)
  assert.equal(passwordProblem('жщюъдфг', { email }), text)
  assert.equal(passwordProblem('🦊🚲🎻🌵🧭🪁🍋', { email }), text)
  // Composed: what one keyboard writes as two is one character, as in the hash.
  assert.equal(passwordProblem('u\u0308'.repeat(7), { email }), text)
})

test('1,024 bytes are accepted, and one more is too long, in words without a number', () => {
  const text = 'This password is too long. Choose a shorter one.'
  assert.equal(passwordProblem('kz'.repeat(512), { email }), null)
  assert.equal(passwordProblem(`${'kz'.repeat(512)}u`, { email }), text)
  assert.equal(passwordProblem('€'.repeat(341), { email }), null)
  assert.equal(passwordProblem('€'.repeat(342), { email }), text)
})

test('the e-mail address itself is refused, in whatever case and with spaces around it', () => {
  const text = 'Your e-mail address cannot be your password.'
  assert.equal(passwordProblem('ada@example.org', { email }), text)
  assert.equal(passwordProblem(' ADA@Example.org', { email: 'Ada@example.org ' }), text)
})

test('invisible characters hide neither the e-mail address nor the name of the site', () => {
  const close = 'This password is too close to your e-mail address or the name of this site.'
  const same = 'Your e-mail address cannot be your password.'
  assert.equal(passwordProblem('ada@exa\u200bmple.org', { email }), same)
  assert.equal(passwordProblem('ａｄａ@example.org', { email }), same)
  assert.equal(passwordProblem('corner\u200bshop1', { email, site: ['Corner Shop'] }), close)
})

test('a common password is refused, in whatever case', () => {
  const text = 'This password is too common. Choose another one.'
  assert.equal(passwordProblem('password1', { email }), text)
  assert.equal(passwordProblem('QwertyUiop', { email }), text)
})

test('parts of the e-mail and names of the site are refused, alone and with a few digits', () => {
  const text = 'This password is too close to your e-mail address or the name of this site.'
  const site = ['Corner Shop', 'https://corner-shop.example:8443']
  const context = { email: 'grace.hopper1906@navy-yard.example', site }
  for (const password of [
    'gracehopper',
    'Hopper1906',
    'hopper 2026',
    'HopperGrace!',
    'grace.hopper',
    'navyyard',
    'navy-yard.example',
    'grace@navy',
    'cornershop',
    'Corner Shop 1!',
    'corner-shop.example',
    'shopshopshop',
    'graceshop12',
    '2026-navyyard',
  ]) {
    assert.equal(passwordProblem(password, context), text, password)
  }
  for (const password of [
    'grace kelly',
    'hopper of frogs',
    'cornerstones 7',
    'shoplifter7',
    'grace 🦊🚲🎻',
    '!#%&/()=?',
    '83716204',
  ]) {
    assert.equal(passwordProblem(password, context), null, password)
  }
})

test('only the first 254 characters of an e-mail are searched for, the most that one can have', () => {
  const email = (length: number): string => `${'.'.repeat(length)}gracehopper@navy.example`
  assert.equal(passwordProblem('gracehopper', { email: email(254) }), null)
  assert.notEqual(passwordProblem('gracehopper', { email: email(200) }), null)
})

test('a short part of the e-mail does not count, nor does an empty one', () => {
  for (const own of ['', 'x', 'a.b@c.de', '@']) {
    assert.equal(passwordProblem('deabcdeabc', { email: own, site: ['', ' '] }), null, own)
  }
})

test('a confirmation must be the same, and is not asked for when none is given', () => {
  const text = 'The passwords do not match.'
  assert.equal(passwordProblem('vq7 tin lamp', { email, confirmation: 'vq7 tin lamp' }), null)
  assert.equal(passwordProblem('vq7 tin lamp', { email, confirmation: 'vq7 tin lamb' }), text)
  assert.equal(passwordProblem('vq7 tin lamp', { email, confirmation: '' }), text)
})

test('half a surrogate pair is no password', () => {
  assert.equal(
    passwordProblem('kzuwqob\ud800xx', { email }),
    'This password contains an invalid character.',
  )
})

test('no rule asks for digits, capitals or signs', () => {
  assert.equal(passwordProblem('tin lamp under eleven roofs', { email }), null)
})

test('no sentence repeats the password', () => {
  for (const password of ['short', 'password1', email, 'x'.repeat(2_000)]) {
    const problem = passwordProblem(password, { email, confirmation: 'other' })
    assert.ok(problem !== null && !problem.includes(password), password)
  }
})

test('an e-mail that is too long to be a password is not normalized', (t) => {
  const marks = '\u0315'.repeat(20_000) + '\u0316'.repeat(20_000)
  const normalize = t.mock.method(String.prototype, 'normalize')
  assert.equal(passwordProblem('vq7 tin lamp', { email: `a${marks}` }), null)
  const lengths = normalize.mock.calls.map((call) => String(call.this).length)
  assert.deepEqual(
    lengths.filter((length) => length > 1024),
    [],
  )
})
