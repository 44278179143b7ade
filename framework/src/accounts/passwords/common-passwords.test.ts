import assert from 'node:assert/strict'
import { test } from 'node:test'
import { commonParts, commonPasswordList, isCommonPassword } from './common-passwords.ts'

// What the published rankings of the last years have in common.
const wellKnown = `
  123456 password 12345678 qwerty 123456789 12345 1234 111111 1234567 dragon 123123 baseball abc123
  football monkey letmein 696969 shadow master 666666 qwertyuiop 123321 mustang 1234567890 michael
  654321 superman 1qaz2wsx 7777777 121212 000000 qazwsx 123qwe killer trustno1 jordan jennifer
  zxcvbnm asdfgh hunter buster soccer harley batman andrew tigger sunshine iloveyou 2000 charlie
  robert thomas hockey ranger daniel starwars 112233 george computer michelle jessica pepper 1111
  zxcvbn 555555 11111111 131313 freedom 777777 pass maggie 159753 aaaaaa ginger princess joshua
  cheese amanda summer love ashley 6969 nicole chelsea biteme matthew access yankees 987654321
  dallas austin thunder taylor matrix william corvette hello martin heather secret merlin diamond
  1234qwer gfhjkm hammer silver 222222 88888888 anthony justin test bailey q1w2e3r4t5 patrick
  internet scooter orange 11111 golfer cookie richard samantha bigdog guitar jackson whatever mickey
  chicken sparky snoopy maverick phoenix camaro peanut morgan welcome falcon cowboy ferrari samsung
  andrea smokey steelers joseph mercedes dakota arsenal eagles melissa boomer spider nascar monster
  tigers yellow 123123123 gateway marina diablo bulldog qwer1234 compaq purple hardcore banana junior
  hannah 123654 porsche lakers iceman money cowboys 987654 london tennis 999999 coffee scooby
  0000 miller boston q1w2e3r4 brandon yamaha chester mother forever johnny edward 333333 oliver
  redsox player nikita knight fender barney midnight please brandy chicago badboy qwerty123 admin
  passw0rd password1 password123 1q2w3e4r 1q2w3e welcome1 p@ssw0rd qwerty1 iloveyou1 admin123 aa123456
  abcd1234 1q2w3e4r5t 12345678910 princess1 sunshine1 football1 qwe123 asdfghjkl pokemon liverpool
  987654321 88888888 11223344 0123456789 147258369 zaq12wsx changeme qwertyuiop123 minecraft naruto
`
  .trim()
  .split(/\s+/)

test('the list has more than 20,000 passwords that are long enough otherwise, in order', () => {
  const lines = commonPasswordList().toString().trimEnd().split('\n')
  assert.ok(lines.length > 20_000, `${lines.length}`)
  for (const [at, line] of lines.entries()) {
    assert.ok(Array.from(line).length >= 8, line)
    assert.equal(line, line.normalize('NFC').toLowerCase())
    const before = lines[at - 1] ?? ''
    assert.ok(Buffer.compare(Buffer.from(before), Buffer.from(line)) < 0, line)
  }
})

test('every line of the list is found, and nothing between two lines is', () => {
  const lines = commonPasswordList().toString().trimEnd().split('\n')
  for (const line of lines) assert.ok(isCommonPassword(line), line)
  const listed = new Set(lines)
  const between = lines
    .filter((_, at) => at % 97 === 0)
    .flatMap((line) => [`${line}\u0001kz`, `${line.slice(0, -1)}\u0001kz`])
  for (const text of between) if (!listed.has(text)) assert.ok(!isCommonPassword(text), text)
  for (const text of ['', '\n', '\u{10ffff}'.repeat(9), '!'.repeat(3)]) {
    assert.ok(!isCommonPassword(text), JSON.stringify(text))
  }
})

test('every part is in lower case, and none is empty', () => {
  const { whole, stems, endings } = commonParts()
  for (const text of [...whole, ...stems, ...endings]) {
    assert.equal(text, text.toLowerCase())
    assert.notEqual(text, '')
  }
})

test('every stem is refused alone and with every ending', () => {
  const { stems, endings } = commonParts()
  for (const stem of ['princess', 'f00tb@ll', ...[...stems].slice(0, 20)]) {
    assert.ok(isCommonPassword(stem), stem)
    for (const end of endings) assert.ok(isCommonPassword(stem + end), stem + end)
  }
})

test('the best known passwords that are long enough are all refused', () => {
  const long = wellKnown.filter((text) => text.length >= 8)
  assert.ok(new Set(long).size >= 50)
  assert.deepEqual(
    long.filter((text) => !isCommonPassword(text)),
    [],
  )
})

test('capitals make a common password no better', () => {
  assert.ok(isCommonPassword('PassWord1'))
  assert.ok(isCommonPassword('P@SSW0RD'))
})

test('keyboard walks, repeats, years of birth and signs for letters are recognised', () => {
  for (const text of ['qwertyui', 'lkjhgfdsa', 'aaaaaaaaaa', '19901990', 'f00tb@ll', '123321123']) {
    assert.ok(isCommonPassword(text), text)
  }
})

test('a common word with a year and signs is refused, seasons in several languages too', () => {
  const cases = `Winter2025! Welcome2025! Summer24!! Password2025! March2025! 2025Winter! Sommer2025! Winter-2025
    Winter.2025! verano2026$ W1nter2025! Autumn_1999 Fall2025!! herbst25!`
  for (const password of cases.split(/\s+/))
    assert.equal(isCommonPassword(password), true, password)
  for (const password of ['Wqnter2025!', 'winter nine lamp', 'mauve2025!!', 'winter2025lamp']) {
    assert.equal(isCommonPassword(password), false, password)
  }
})

test('other forms of letters and invisible characters make a common password no better', () => {
  for (const password of [
    'ｐａｓｓｗｏｒｄ',
    'pass\u200bword',
    'password\u200b',
    '\ufeffpass\u00adword1',
    'pa\u2060ss\u200dword\ufe0f',
    '𝐩𝐚𝐬𝐬𝐰𝐨𝐫𝐝',
    '①②③④⑤⑥⑦⑧',
  ]) {
    assert.equal(isCommonPassword(password), true, password)
  }
})

test('an uncommon password is not on it', () => {
  for (const text of ['vq7 tin lamp', 'correct horse battery staple', 'kzuwqobr', '58203917']) {
    assert.ok(!isCommonPassword(text), text)
  }
})
