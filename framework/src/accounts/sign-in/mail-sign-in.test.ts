import assert from 'node:assert/strict'
import { test } from 'node:test'
import { KeptSession } from '../../../tests/support/kept-session.ts'
import { browserOf, issueTicket, readTicket } from './mail-sign-in.ts'

const details = { email: 'ada@example.org', remember: true, asked: 1000 }

test('a session keeps one ticket, for an hour, and the table knows only its digest', async () => {
  const session = new KeptSession()
  const first = issueTicket(session, details)
  const second = issueTicket(session, details)
  assert.match(second.ticket, /^[0-9a-f]{64}$/)
  assert.notEqual(first.ticket, second.ticket)
  assert.deepEqual(await readTicket(session, 4599), { ...second, ...details })
  assert.equal(await readTicket(session, 4600), null)
  assert.match(browserOf(second), /^[0-9a-f]{64}$/)
  assert.notEqual(browserOf(second), second.ticket)
  assert.notEqual(browserOf(first), browserOf(second))
})

test('anything else in the session is no ticket', async () => {
  const good = { ticket: 'a', ...details }
  for (const value of [null, 'text', 7, [], {}, { ...good, ticket: 1 }, { ...good, asked: '1' }]) {
    assert.equal(await readTicket(new KeptSession({ mail_sign_in: value }), 1000), null)
  }
})
