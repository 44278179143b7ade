import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { day } from 'framework/i18n'
import { Repository } from 'framework/orm'
import { demoAccount } from '../demo-account.ts'
import { Items } from '../entities/items.ts'
import { serveDemo } from './serve-demo.ts'

const app = await serveDemo()
after(() => app.close())

test('a member chooses a time zone, which days of the list, times of pages and mails then have', async () => {
  const visitor = app.visitor()
  await visitor.submit('/login', demoAccount)
  assert.match((await visitor.open('/account')).page, /It is \d{4}-\d\d-\d\d \d\d:\d\d UTC now/)

  const wrong = { timezone: 'Europe/Bonn' }
  const { to, errors } = await visitor.submit('/account/timezone', wrong)
  assert.deepEqual([to, errors], ['/account', { timezone: 'There is no such time zone.' }])
  assert.equal((await visitor.send('/account/timezone', wrong)).status, 422)
  const changed = await visitor.submit('/account/timezone', { timezone: 'Asia/Kolkata' })
  assert.equal(changed.message, 'Time zone changed.')
  assert.match(changed.page, /<option value="Asia\/Kolkata" selected>/)
  assert.match(changed.page, /It is \d{4}-\d\d-\d\d \d\d:\d\d UTC\+5:30 now/)

  const { start, end, date } = day('2026-02-01', 'Asia/Kolkata')
  const items = new Repository(Items, app.services.database)
  const moments = [start.getTime() - 1, start.getTime(), end.getTime() - 1, end.getTime()]
  const rest = { category: 'Study', price: '1.00', stock: 1 }
  await items.insertMany(
    moments.map((ms, at) => Object.assign({ name: `Zone ${at}`, createdAt: new Date(ms) }, rest)),
  )
  const page = (await visitor.ask(`/items?q=Zone&added=${date}`)).text
  assert.deepEqual(
    [...page.matchAll(/Zone \d/g)].map(([name]) => name),
    ['Zone 1', 'Zone 2'],
  )
  assert.match(page, /Added \(<span translate="no">Asia\/Kolkata<\/span>\)/)
  assert.match(page, />2026-02-01<\/time>/)
  // A guest has the zone of the site.
  const guest = await app.visitor().ask(`/items?q=Zone&added=${date}`)
  assert.deepEqual(
    [...guest.text.matchAll(/Zone \d/g)].map(([name]) => name),
    ['Zone 2', 'Zone 3'],
  )

  const password = 'a new and long enough one'
  const fields = { current: demoAccount.password, password, password_confirmation: password }
  await visitor.submit('/password', fields)
  const mail = await app.mails.sent({ subject: 'Your password was changed' })
  assert.match(mail.text ?? '', /\d\d:\d\d UTC\+5:30/)

  const { page: reset } = await visitor.submit('/account/timezone', { timezone: '' })
  assert.match(reset, /\d\d:\d\d UTC now/)
})
