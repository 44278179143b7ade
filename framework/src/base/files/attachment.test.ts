import assert from 'node:assert/strict'
import { test } from 'node:test'
import { attachment } from './attachment.ts'

test('a plain name is used unchanged', () => {
  assert.equal(attachment('report 1.pdf'), 'attachment; filename="report 1.pdf"')
})

test('folders of either notation are left out', () => {
  assert.equal(attachment('/etc/a.txt'), 'attachment; filename="a.txt"')
  assert.equal(attachment('C:\\x\\a.txt'), 'attachment; filename="a.txt"')
})

test('quotes, percent signs and control characters cannot leave the quotes', () => {
  assert.equal(
    attachment('a"; x="%41\r\n.txt'),
    'attachment; filename="a_; x=__41__.txt"; filename*=UTF-8\'\'a%22%3B%20x%3D%22%2541%0D%0A.txt',
  )
})

test('a name beyond ASCII comes with its encoded form, of attribute characters only', () => {
  const value = attachment("日本 (1)*'.txt")
  assert.equal(
    value,
    "attachment; filename=\"__ (1)*'.txt\"; filename*=UTF-8''%E6%97%A5%E6%9C%AC%20%281%29%2A%27.txt",
  )
})

test('half a surrogate pair does not make it fail', () => {
  assert.match(attachment('a\ud800.txt'), /filename\*=UTF-8''a%EF%BF%BD\.txt$/)
})
