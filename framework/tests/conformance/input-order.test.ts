import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StandardSchema } from '../../src/base/schema/standard-schema.ts'
import { HttpError } from '../../src/http/errors/http-error.ts'
import type { MiddlewareObject } from '../../src/http/router/middleware.ts'
import { CsrfSite } from './csrf-site.ts'

/** A schema that records what it was asked, and refuses an empty title. */
function recording(seen: unknown[]): StandardSchema<unknown, Readonly<Record<string, unknown>>> {
  return {
    '~standard': {
      version: 1,
      vendor: 'test',
      validate(value) {
        seen.push(value)
        const fields = Object.fromEntries<unknown>(Object.entries(Object(value)))
        if (fields['title'] !== '') return { value: fields }
        return { issues: [{ message: 'Please enter a title.', path: [{ key: 'title' }] }] }
      },
    },
  }
}

const referer = { host: 'localhost', referer: 'http://localhost/form' }

test('no schema sees a form before its origin, its guards and its token were checked', async (t) => {
  const site = new CsrfSite(t)
  const seen: unknown[] = []
  let isMember = false
  const members: MiddlewareObject = {
    phase: 'guard',
    process(_request, _response, next) {
      if (!isMember) throw new HttpError(401)
      return next()
    },
  }
  site.server.router.post('/notes', () => 'saved', {
    body: recording(seen),
    middlewares: [members],
  })
  const ada = site.visitor()
  const _token = await ada.token()
  const send = async (
    fields: Record<string, string>,
    headers: Record<string, string> = {},
  ): Promise<number> => {
    const body = new URLSearchParams({ title: 'Milk', ...fields })
    return (await ada.ask('/notes', { method: 'POST', headers, body })).status
  }
  assert.equal(await send({ _token }, { 'sec-fetch-site': 'cross-site' }), 403)
  assert.equal(await send({ _token }), 401)
  isMember = true
  assert.equal(await send({}), 403)
  assert.deepEqual(seen, [])
  assert.equal(await send({ _token }), 200)
  assert.equal(JSON.stringify(seen), '[{"title":"Milk"}]')
})

test('an invalid form keeps the cookies that a guard has set on the way', async (t) => {
  const site = new CsrfSite(t)
  site.server.router.post('/notes', () => 'saved', {
    body: recording([]),
    middlewares: [
      (_request, response, next) => {
        response.cookie('remember', 'next')
        return next()
      },
    ],
  })
  const ada = site.visitor()
  const body = new URLSearchParams({ title: '', _token: await ada.token() })
  const answer = await ada.ask('/notes', { method: 'POST', headers: referer, body })
  assert.deepEqual([answer.status, answer.headers['location']], [303, '/form'])
  assert.ok(answer.cookies.some((cookie) => cookie.startsWith('remember=next')))
})
