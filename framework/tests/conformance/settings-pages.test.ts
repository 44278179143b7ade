import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { sampleNow } from '../support/page-samples.ts'
import { serveSamples } from '../support/sample-pages.ts'
import { keepScreenshot } from '../support/screenshots.ts'

const { skip, context, open, show } = serveSamples()
const phone = { width: 320, height: 640 }
const desk = { width: 1280, height: 800 }
const names = [
  'Profile',
  'E-mail',
  'Password',
  'Two-factor',
  'Passkeys',
  'Connected accounts',
  'API tokens',
  'Ways in',
  'Devices and sessions',
  'Activity',
  'Your data',
  'Delete account',
]

/** The first line of the focused element, or the label of a field. */
async function focused(page: Page): Promise<string> {
  return page.evaluate<string>(`(() => {
    const node = document.activeElement
    return (node.labels?.[0] ?? node).textContent.trim().split('\\n')[0]
  })()`)
}

test('the sections are beside the page, or behind one line on a phone', { skip }, async (t) => {
  for (const javaScriptEnabled of [true, false]) {
    const page = await open(t, 'tokens', { javaScriptEnabled, viewport: desk })
    const sections = page.getByRole('navigation', { name: 'Settings' })
    const links = sections.getByRole('link')
    const line = page.getByText('Settings: API tokens')
    assert.deepEqual(await links.allInnerTexts(), names)
    assert.equal(await line.isVisible(), false)
    assert.equal(await sections.locator('[aria-current]').innerText(), 'API tokens')
    await page.setViewportSize(phone)
    assert.equal(await links.count(), 0)
    await line.focus()
    await page.keyboard.press('Enter')
    assert.deepEqual(await links.allInnerTexts(), names)
    await keepScreenshot(page, `sections-open-${String(javaScriptEnabled)}`)
    await page.keyboard.press('Tab')
    assert.equal(await focused(page), 'Profile')
  }
})

test(
  'the keyboard meets the sections first, then the page from top to bottom',
  { skip },
  async (t) => {
    const page = await open(t, 'tokens', { viewport: desk })
    await page.locator('.skip').focus()
    await page.keyboard.press('Enter')
    const met: string[] = []
    for (let steps = 0; steps < 19; steps += 1) {
      await page.keyboard.press('Tab')
      met.push(await focused(page))
    }
    assert.deepEqual(met, [
      ...names,
      'Revoke Backup',
      'Revoke CI',
      'Name',
      'Read your e-mail address, and whether it is verified',
      'Read where you are signed in',
      '30 days',
      'Create token',
    ])
  },
)

for (const [name, label, expected] of [
  ['tokens-created', 'Copy the token', /^fw_[0-9a-f]{16}_[0-9a-f]{72}$/],
  ['two-factor-setup', 'Copy the key', /^[A-Z2-7]{32}$/],
  ['recovery-codes', 'Copy the codes', /^(?:[a-z2-7-]{19}\n){9}[a-z2-7-]{19}$/],
] as const) {
  test(`"${label}" copies it and says so`, { skip }, async (t) => {
    const page = await open(t, name, { permissions: ['clipboard-read', 'clipboard-write'] })
    if (name === 'two-factor-setup') await page.getByText('I cannot scan it').click()
    await page.getByRole('button', { name: label }).click()
    await page.getByRole('status').filter({ hasText: 'Copied' }).waitFor()
    assert.match(await page.evaluate<string>('navigator.clipboard.readText()'), expected)
  })
}

test('a secret is selected if the browser does not allow copying', { skip }, async (t) => {
  const page = await (await context(t)).newPage()
  await page.addInitScript(`navigator.clipboard.writeText = () => Promise.reject(new Error())`)
  await show(page, 'tokens-created')
  await page.getByRole('button', { name: 'Copy the token' }).click()
  await page.getByText('Blocked by the browser: copy the selected text yourself').waitFor()
  const secret = await page.locator('.secret').innerText()
  assert.equal(await page.evaluate<string>('getSelection().toString()'), secret)
})

test('without scripts or a clipboard there are no buttons for it', { skip }, async (t) => {
  const plain = await open(t, 'recovery-codes', { javaScriptEnabled: false })
  assert.equal(await plain.locator('main').getByRole('button').count(), 0)
  assert.equal(await plain.locator('.codes li').count(), 10)
  const page = await (await context(t)).newPage()
  await page.addInitScript(`Object.defineProperty(navigator, 'clipboard', { value: undefined })`)
  await show(page, 'recovery-codes')
  assert.deepEqual(await page.locator('main').getByRole('button').allInnerTexts(), ['Print'])
})

test('recovery codes are printed with their account, and nothing else', { skip }, async (t) => {
  const page = await (await context(t)).newPage()
  await page.addInitScript(`window.print = () => { document.title = 'printed' }`)
  await show(page, 'recovery-codes')
  await page.getByRole('button', { name: 'Print' }).click()
  assert.equal(await page.title(), 'printed')
  await page.emulateMedia({ media: 'print' })
  await keepScreenshot(page, 'recovery-codes-print')
  const printed = await page.evaluate<string>('document.body.innerText')
  assert.match(printed, /For ada@example\.org at Framework demo/)
  assert.equal(printed.match(/mzxw-6ytb/g)?.length, 10)
  assert.doesNotMatch(printed, /Sign out|Copy the codes|I have kept them|Health/)
})

test('a link that was just sent can be sent again after a minute', { skip }, async (t) => {
  const page = await open(t, 'account-unverified')
  const button = page.locator('.notice').getByRole('button')
  assert.equal(await button.innerText(), 'Send the link again in 60 s')
  assert.equal(await button.isDisabled(), true)
  await page.clock.setFixedTime((sampleNow + 60) * 1000)
  await page.getByText('Send the link again', { exact: true }).waitFor()
  assert.equal(await button.isEnabled(), true)
  const plain = await open(t, 'account-unverified', { javaScriptEnabled: false })
  assert.equal(await plain.locator('.notice').getByRole('button').isEnabled(), true)
})

test('each password can be shown on its own, and its strength is judged', { skip }, async (t) => {
  const page = await open(t, 'password')
  const kinds = (): Promise<string[]> =>
    page.evaluate(`[...document.querySelectorAll('.input input')].map(({ type }) => type)`)
  await page.getByRole('button', { name: 'Show new password', exact: true }).click()
  assert.deepEqual(await kinds(), ['password', 'text', 'password'])
  const meter = page.locator('.strength')
  assert.equal(await meter.count(), 1)
  for (const [password, level] of [
    // Seven characters of two code units each, as the server counts.
    ['🦊🚲🎻🌵🧭🪁🍋', '0'],
    ['welcome letmein', '1'],
    // The form has the address of the account in a hidden field.
    ['adaadaadaada', '1'],
    ['quiet copper lamp', '4'],
  ] as const) {
    await page.getByLabel('New password', { exact: true }).fill(password)
    assert.equal(await meter.getAttribute('data-level'), level, password)
  }
  const plain = await open(t, 'password', { javaScriptEnabled: false })
  assert.deepEqual(await plain.locator('main').getByRole('button').allInnerTexts(), [
    'Change password',
  ])
})

test('a form with errors focuses their summary, which leads to the fields', { skip }, async (t) => {
  for (const javaScriptEnabled of [true, false]) {
    const page = await (await context(t, { javaScriptEnabled })).newPage()
    for (const [name, fields] of [
      ['password-errors', ['Current password', 'New password']],
      ['two-factor-wrong', ['Code']],
      ['tokens-wrong', ['Name', 'Read your e-mail address, and whether it is verified', '7 days']],
    ] as const) {
      await show(page, name)
      const summary = page.getByRole('group', { name: 'There is a problem' })
      await summary.and(page.locator(':focus')).waitFor()
      assert.match(await page.title(), /^Error: /)
      for (const [at, field] of fields.entries()) {
        await summary.getByRole('link').nth(at).click()
        assert.equal(await focused(page), field)
      }
    }
    await show(page, 'tokens-created')
    assert.equal(await focused(page), 'Your token Backup')
  }
})
