import assert from 'node:assert/strict'
import { test } from 'node:test'
import { linkHeader, pageTarget } from './link.ts'

test('next comes before prev, and missing links are left out', () => {
  assert.equal(linkHeader({ next: '/b', prev: '/a' }), '</b>; rel="next", </a>; rel="prev"')
  assert.equal(linkHeader({ next: '/b', prev: null }), '</b>; rel="next"')
  assert.equal(linkHeader({ next: null, prev: '/a' }), '</a>; rel="prev"')
  assert.equal(linkHeader({ next: null, prev: null }), null)
})

for (const [URI, expected] of [
  ['/users', '/users?limit=10&page=2'],
  ['/users?', '/users?limit=10&page=2'],
  ['/users?page=1', '/users?limit=10&page=2'],
  ['/users?page=1&limit=5&q=ada', '/users?limit=10&q=ada&page=2'],
  ['/users?q=ada&limit=5', '/users?q=ada&limit=10&page=2'],
  ['/users?q=ada', '/users?q=ada&limit=10&page=2'],
  ['/users?limit=5&limit=7&q=ada', '/users?limit=10&q=ada&page=2'],
  ['/users?cursor=abc&page=9', '/users?limit=10&page=2'],
  ['/users?tag=a&tag=b&flag', '/users?tag=a&tag=b&flag&limit=10&page=2'],
  ['/users?&&q=a&', '/users?q=a&limit=10&page=2'],
] as const) {
  test(`page 2 of ${URI} is ${expected}`, () => {
    assert.equal(pageTarget(URI, 10, { page: 2 }), expected)
  })
}

test('a cursor comes last too, and takes the place of a page', () => {
  const target = pageTarget('/users?page=3&limit=5&q=ada', 5, { cursor: 'WyJCb2IiLDdd' })
  assert.equal(target, '/users?limit=5&q=ada&cursor=WyJCb2IiLDdd')
})

test('the path and the parameters of others keep their spelling', () => {
  const target = pageTarget('/caf%C3%A9/a+b?q=a%20b+c&x=%26%3d', 10, { page: 2 })
  assert.equal(target, '/caf%C3%A9/a+b?q=a%20b+c&x=%26%3d&limit=10&page=2')
})

test('a parameter is known by its name however it is spelled', () => {
  const target = pageTarget('/users?l%69mit=5&p%61ge=4&%63ursor=x', 10, { page: 2 })
  assert.equal(target, '/users?limit=10&page=2')
})

test('a name that only resembles one of ours is kept', () => {
  const target = pageTarget('/users?a=1&?limit=5&Page=4&cursors=x', 10, { page: 2 })
  assert.equal(target, '/users?a=1&?limit=5&Page=4&cursors=x&limit=10&page=2')
})

test('what came from outside cannot end the target or add a parameter to the header', () => {
  const target = pageTarget('/a>b?q=>; rel="next", </evil>&x="\\\u00e9 #f\ud800', 10, {
    page: 2,
  })
  assert.equal(
    target,
    '/a%3Eb?q=%3E;%20rel=%22next%22,%20%3C/evil%3E&x=%22%5C%C3%A9%20%23f%EF%BF%BD&limit=10&page=2',
  )
  assert.match(target, /^[\x21-\x7e]+$/)
})

test('a bare percent sign means the same after it was encoded', () => {
  const target = pageTarget('/users?q=100%&r=%zz', 10, { page: 2 })
  assert.equal(target, '/users?q=100%25&r=%25zz&limit=10&page=2')
  const read = new URLSearchParams(target.slice(target.indexOf('?')))
  assert.equal(read.get('q'), '100%')
  assert.equal(read.get('r'), '%zz')
})

test('a path that begins with two slashes stays a path of this site', () => {
  const target = pageTarget('//evil.example/users', 10, { page: 2 })
  const url = new URL(target, 'http://here.example/')
  assert.equal(url.host, 'here.example')
  assert.equal(url.pathname, '//evil.example/users')
})
