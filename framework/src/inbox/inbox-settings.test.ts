import assert from 'node:assert/strict'
import { test } from 'node:test'
import { errorInboxScope } from './inbox-settings.ts'

test('mails go to one mailbox', () => {
  const { mail } = errorInboxScope.variables
  assert.equal(mail.parse('Ops <ops@example.org>'), 'Ops <ops@example.org>')
  assert.equal(mail.parse(''), '')
  assert.equal(mail.parse('a@example.org, b@example.org'), undefined)
})
