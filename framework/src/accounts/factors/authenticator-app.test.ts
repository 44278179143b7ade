import assert from 'node:assert/strict'
import { test } from 'node:test'
import { otpauthUri } from './authenticator-app.ts'

test('it names the site, the account and the secret', () => {
  const uri = otpauthUri({ issuer: 'Shop', account: 'ada@example.org', secret: 'MZXW6YTB' })
  assert.equal(uri, 'otpauth://totp/Shop:ada%40example.org?secret=MZXW6YTB&issuer=Shop')
})

test('a name cannot add a parameter or another issuer', () => {
  const uri = otpauthUri({ issuer: 'A&B: C/D', account: 'x?secret=EVIL&y:z', secret: 'MZXW6YTB' })
  const { searchParams, pathname } = new URL(uri)
  assert.deepEqual(
    [...searchParams],
    [
      ['secret', 'MZXW6YTB'],
      ['issuer', 'A&B  C/D'],
    ],
  )
  assert.equal(pathname.split(':').length, 2)
})
