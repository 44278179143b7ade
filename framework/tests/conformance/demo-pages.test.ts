import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { mailSamples, pageSamples, sampleNow } from '../support/page-samples.ts'
import { violations } from '../support/axe.ts'
import { serveSamples } from '../support/sample-pages.ts'
import { keepScreenshot } from '../support/screenshots.ts'

const samples = serveSamples()
const { skip, context: contextOf, open, show } = samples
// axe checks everything once, and in the other colours and width what they change.
const looks = [
  { colorScheme: 'light', viewport: { width: 320, height: 640 }, judged: {} },
  {
    colorScheme: 'dark',
    viewport: { width: 1280, height: 800 },
    judged: { only: ['color-contrast', 'link-in-text-block', 'target-size'] },
  },
] as const

async function focused(page: Page): Promise<string> {
  return page.evaluate<string>(
    `document.activeElement.id || document.activeElement.className || document.activeElement.textContent.trim()`,
  )
}

test(
  'no page has a violation that axe finds, breaks its content policy, misses a file or is scrolled sideways',
  { skip },
  async (t) => {
    const page = await (await contextOf(t)).newPage()
    const complaints: string[] = []
    page.on('console', (message) => complaints.push(message.text()))
    page.on('pageerror', (error) => complaints.push(error.message))
    page.on('response', (answer) => {
      if (answer.status() >= 400) complaints.push(answer.url())
    })
    for (const { name } of [...pageSamples, ...mailSamples]) {
      await show(page, name)
      for (const { colorScheme, viewport, judged } of looks) {
        await page.setViewportSize(viewport)
        await page.emulateMedia({ colorScheme })
        const title = `${name}-${colorScheme}-${viewport.width}`
        await keepScreenshot(page, title)
        assert.deepEqual(await violations(page, judged), [], title)
        const root = 'document.documentElement'
        assert.ok(await page.evaluate<boolean>(`${root}.scrollWidth <= ${root}.clientWidth`), title)
      }
      assert.deepEqual(complaints, [], name)
    }
    // Requests that the last page makes late.
    await page.waitForLoadState('networkidle')
    assert.deepEqual(complaints, [])
  },
)

test(
  'without scripts the error summary has the focus and links to the fields',
  { skip },
  async (t) => {
    const page = await open(t, 'register-errors', { javaScriptEnabled: false })
    const summary = page.getByRole('group', { name: 'There is a problem' })
    await summary.and(page.locator(':focus')).waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    const email = page.getByLabel('E-mail')
    await email.and(page.locator(':focus')).waitFor()
  },
)

test('the first tab stop skips the navigation', { skip }, async (t) => {
  const page = await open(t, 'login')
  await page.keyboard.press('Tab')
  assert.equal(await focused(page), 'skip')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  assert.equal(await focused(page), 'email')
})

test('a form can be filled in and sent with the keyboard alone', { skip }, async (t) => {
  const page = await open(t, 'login', { javaScriptEnabled: false })
  await page.getByLabel('E-mail').focus()
  await page.keyboard.type('ada@example.org')
  await page.keyboard.press('Tab')
  await page.keyboard.type('correct horse')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Space')
  await page.keyboard.press('Enter')
  await page.waitForURL(samples.url('/login'))
  assert.deepEqual(JSON.parse((await page.locator('body').textContent()) ?? ''), {
    _token: 'sample',
    email: 'ada@example.org',
    password: 'correct horse',
    remember: '1',
  })
})

test('a revealed password is hidden when the form is sent', { skip }, async (t) => {
  const page = await open(t, 'login')
  const password = page.getByLabel('Password', { exact: true })
  await page.getByLabel('E-mail').fill('ada@example.org')
  await password.fill('correct horse')
  await page.getByRole('button', { name: 'Show password' }).click()
  assert.equal(await password.getAttribute('type'), 'text')
  await page.getByRole('button', { name: 'Hide password' }).click()
  assert.equal(await password.getAttribute('type'), 'password')
  await page.getByRole('button', { name: 'Show password' }).click()
  await page.evaluate(
    `document.forms[0].addEventListener('submit', (event) => event.preventDefault())`,
  )
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  assert.equal(await password.getAttribute('type'), 'password')
})

test('the strength of a new password is shown while it is typed', { skip }, async (t) => {
  const page = await open(t, 'register')
  await page.getByLabel('E-mail').fill('ada.lovelace@example.org')
  const meter = page.locator('.strength')
  for (const [password, level, words] of [
    ['', '0', ''],
    ['short', '0', 'Too short'],
    // In characters, as the server counts: seven of two code units or four bytes each.
    ['🦊🚲🎻🌵🧭🪁🍋', '0', 'Too short'],
    ['Password1234', '1', 'Easy to guess: add another word or two'],
    ['aaaaaaaaaaaaaaaaaaaa', '1', 'Easy to guess: add another word or two'],
    ['ada.lovelace1', '1', 'Easy to guess: add another word or two'],
    ['tR4vel!ng', '2', 'Fair: another word would help'],
    ['quiet copper lamp', '4', 'Strong'],
    ['', '0', ''],
  ] as const) {
    await page.getByLabel('Password', { exact: true }).fill(password)
    assert.equal(await meter.getAttribute('data-level'), level, password)
    assert.equal((await meter.textContent())?.trim(), words, password)
  }
})

test(
  'the button to resend a link is disabled at first, except for another address',
  { skip },
  async (t) => {
    const page = await open(t, 'forgot-sent')
    const button = page.locator('main').getByRole('button')
    assert.equal(await button.textContent(), 'Send again in 60 s')
    assert.equal(await button.isDisabled(), true)
    await page.clock.setFixedTime((sampleNow + 58) * 1000)
    await page.getByText('Send again in 2 s').waitFor()
    await page.clock.setFixedTime((sampleNow + 60) * 1000)
    await page.getByText('Send again', { exact: true }).waitFor()
    assert.equal(await button.isEnabled(), true)

    const hasty = await open(t, 'forgot-sent')
    await hasty.getByLabel('E-mail').fill('ada@example.net')
    assert.equal(await hasty.locator('main').getByRole('button').isEnabled(), true)
    const plain = await open(t, 'forgot-sent', { javaScriptEnabled: false })
    assert.equal(await plain.locator('main').getByRole('button').isEnabled(), true)
  },
)

test(
  'the wait after too many attempts is counted down without moving the page',
  { skip },
  async (t) => {
    const page = await open(t, '429')
    const line = page.locator('.countdown')
    const shown = line.locator('[aria-hidden]')
    const spoken = line.locator('[aria-live="polite"]')
    assert.equal(await shown.textContent(), 'Try again in 8:00.')
    assert.equal(await spoken.textContent(), 'Try again in 8 minutes.')
    await page.clock.setFixedTime((sampleNow + 21) * 1000)
    await page.getByText('Try again in 7:39.').waitFor()
    assert.equal(await spoken.textContent(), 'Try again in 8 minutes.')
    const height = (await line.boundingBox())?.height
    await page.clock.setFixedTime((sampleNow + 480) * 1000)
    await page.getByText('You can try again now.').first().waitFor()
    const plain = await open(t, '429', { javaScriptEnabled: false })
    assert.equal((await plain.locator('.countdown').boundingBox())?.height, height)
    await plain.getByText('Wait 8 minutes').waitFor()
  },
)

test('a form with errors focuses its message, and its title says so', { skip }, async (t) => {
  for (const javaScriptEnabled of [true, false]) {
    const page = await (await contextOf(t, { javaScriptEnabled })).newPage()
    for (const [name, title, focus] of [
      ['register-errors', 'Error: Create account · Framework demo', 'There is a problem'],
      ['login-refused', 'Error: Sign in · Framework demo', 'Invalid credentials.'],
      ['login', 'Sign in · Framework demo', null],
    ] as const) {
      await show(page, name)
      assert.equal(await page.title(), title)
      const focused = page.locator('main :focus')
      if (focus === null) assert.equal(await focused.count(), 0)
      else assert.match(await focused.innerText(), new RegExp(`^${focus}`))
    }
  }
})

test('times are relative to now, and in UTC without scripts', { skip }, async (t) => {
  const page = await open(t, 'account')
  const shown = await page.locator('.row time').allTextContents()
  assert.deepEqual(shown, ['just now', 'in 29 days', '2 hours ago', 'in 19 days', '19 hours ago'])
  const plain = await open(t, 'account', { javaScriptEnabled: false })
  assert.equal(await plain.locator('.row time').first().textContent(), '2025-11-15 09:46 UTC')
})

test('a script shows icons of the file that the page has loaded', { skip }, async (t) => {
  const page = await (await contextOf(t)).newPage()
  const loaded: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('icons.')) loaded.push(new URL(request.url()).search)
  })
  await page.route('**/samples/login', async (route) => {
    const response = await route.fetch()
    const body = (await response.text()).replaceAll('/icons.svg#', '/icons.svg?fingerprint#')
    await route.fulfill({ response, body })
  })
  await show(page, 'login')
  await page.getByRole('button', { name: 'Show password' }).waitFor()
  await page.waitForLoadState('networkidle')
  assert.deepEqual(new Set(loaded), new Set(['?fingerprint']))
})

test('the printed page has only the content, in dark ink', { skip }, async (t) => {
  const page = await open(t, 'account', { colorScheme: 'dark' })
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  const colour = 'getComputedStyle(document.body).color'
  assert.equal(await page.evaluate<string>(colour), 'rgb(27, 29, 33)')
  assert.equal(await page.getByRole('button', { name: 'Revoke' }).first().isVisible(), false)
  await keepScreenshot(page, 'account-print')
})
