import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { linkIn } from 'framework/testing'
import type { Outcome } from 'framework/testing'
import { serveDemo } from '../serve-demo.ts'
import { newEmail, password, registered } from './people.ts'

const leaked = 'amber wharf seven'

const folder = mkdtempSync(join(tmpdir(), 'demo-breaches-'))
const digest = createHash('sha1').update(leaked).digest('hex').toUpperCase()
writeFileSync(join(folder, digest.slice(0, 5)), `${digest.slice(5)}:7\n`)
const env = { PASSWORD_BREACHES: folder, APP_TITLE: 'Corner bookshop' }
const app = await serveDemo({ env })
after(async () => {
  await app.close()
  rmSync(folder, { recursive: true })
})

/** Chooses a password in each form that takes a new one. */
async function chooseEverywhere(text: string): Promise<readonly Outcome[]> {
  const chosen = { password: text, password_confirmation: text }
  const { visitor, email } = await registered(app)
  const guest = app.visitor()
  await guest.submit('/forgot', { email })
  const link = linkIn(await app.mails.sent({ to: email, subject: 'Reset your password' }))
  return [
    await app.visitor().submit('/register', { email: newEmail(), ...chosen }),
    await guest.submit(link, chosen),
    await visitor.submit('/password', { current: password, ...chosen }),
  ]
}

for (const [text, problem] of [
  [leaked, 'This password has appeared in a data breach. Choose another one.'],
  [
    'Corner Bookshop 1',
    'This password is too close to your e-mail address or the name of this site.',
  ],
  ['demo.example', 'This password is too close to your e-mail address or the name of this site.'],
  ['chelsea123', 'This password is too common. Choose another one.'],
] as const) {
  test(`registration, reset and change refuse "${text}"`, async () => {
    for (const { status, errors } of await chooseEverywhere(text)) {
      assert.deepEqual([status, errors], [303, { password: problem }])
    }
  })
}

test('they accept any other', async () => {
  for (const { errors } of await chooseEverywhere('amber wharf eight')) assert.deepEqual(errors, {})
})
