import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boundaryOf, partHeader } from './part-header.ts'

const disposition = (value: string) => ({ 'content-disposition': [value] })
const utf8AsLatin1 = (text: string) => Buffer.from(text).toString('latin1')

test('a field has a name and no file name', () => {
  const header = partHeader(disposition('form-data; name="title"'))
  assert.deepEqual(header, { name: 'title', filename: null, type: 'application/octet-stream' })
})

test('a file has a name, a file name and the type without parameters', () => {
  const header = partHeader({
    'content-disposition': ['form-data; name=photo; filename="a b.png"'],
    'content-type': ['Image/PNG; x=y'],
  })
  assert.deepEqual(header, { name: 'photo', filename: 'a b.png', type: 'image/png' })
})

test('names are UTF-8, and quotes and backslashes may be escaped', () => {
  const header = partHeader(
    disposition(utf8AsLatin1(String.raw`form-data; name="ä;\"x\""; filename="C:\dir\\日.txt"`)),
  )
  assert.equal(header.name, 'ä;"x"')
  assert.equal(header.filename, String.raw`C:\dir\日.txt`)
})

for (const bad of [
  'attachment; name="a"',
  'form-data',
  'form-data; filename="a"',
  'form-data; name="a',
  'form-data; name="a"; name="b"',
  'form-data; name="a"; Name="b"',
  'form-data; name="a" x',
  'form-data;; name="a"',
  'form-dataset; name="a"',
]) {
  test(`a part that says ${bad} is refused with 400`, () => {
    assert.throws(() => partHeader(disposition(bad)), { status: 400 })
  })
}

test('a part with no disposition or two of them is refused with 400', () => {
  assert.throws(() => partHeader({}), { status: 400 })
  const two = { 'content-disposition': ['form-data; name="a"', 'form-data; name="b"'] }
  assert.throws(() => partHeader(two), { status: 400 })
})

test('the boundary is read plain or quoted', () => {
  assert.equal(boundaryOf('multipart/form-data; boundary=abc'), 'abc')
  assert.equal(boundaryOf('multipart/form-data; charset=utf-8; Boundary="a b;c"'), 'a b;c')
})

test('a boundary that is missing, empty or too long is refused with 400', () => {
  for (const type of ['', '; boundary=', '; boundary=""', `; boundary=${'x'.repeat(71)}`]) {
    assert.throws(() => boundaryOf(`multipart/form-data${type}`), { status: 400 })
  }
})
