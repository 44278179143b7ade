import assert from 'node:assert/strict'
import type { InjectedResponse } from '../../src/http/server/inject.ts'

const halfAYear = 15_768_000

/** Asserts that a response has the security headers of the usual checklists. */
export function assertSecurityHeaders(
  what: string,
  answer: InjectedResponse,
  { secure = false }: { readonly secure?: boolean } = {},
): void {
  const { headers, cookies } = answer
  const value = (name: string): string => headers[name] ?? ''
  assert.equal(value('x-content-type-options'), 'nosniff', what)
  assert.equal(value('x-frame-options'), 'SAMEORIGIN', what)
  assert.match(value('referrer-policy'), /^(?:strict-origin-when-cross-origin|same-origin)$/, what)
  assert.match(value('permissions-policy'), /\bcamera=\(\).*\bgeolocation=\(\)/, what)
  assert.equal(value('cross-origin-opener-policy'), 'same-origin', what)
  assert.equal(value('cross-origin-resource-policy'), 'same-origin', what)
  assertPolicy(what, value('content-security-policy'))
  const [, age = ''] =
    /^max-age=(\d+); includeSubDomains$/.exec(value('strict-transport-security')) ?? []
  assert.equal(Number(age) >= halfAYear, secure, `${what}: HSTS`)
  for (const name of ['server', 'x-powered-by', 'x-aspnet-version', 'via']) {
    assert.equal(headers[name], undefined, `${what}: ${name}`)
  }
  for (const cookie of cookies) {
    assert.match(cookie, /; Path=\/; Secure; HttpOnly; SameSite=Lax$/, what)
    assert.match(value('cache-control'), /\b(?:private|no-store)\b/, what)
  }
  assertNothingInline(what, answer)
}

function assertPolicy(what: string, policy: string): void {
  const directives = new Map(
    policy.split('; ').map((directive) => {
      const [name = '', ...sources] = directive.split(' ')
      return [name, sources]
    }),
  )
  for (const name of ['default-src', 'base-uri', 'form-action', 'frame-ancestors']) {
    assert.match(directives.get(name)?.join(' ') ?? '', /^'(?:self|none)'$/, `${what}: ${name}`)
  }
  for (const name of ['script-src', 'style-src']) {
    for (const source of directives.get(name) ?? []) {
      assert.match(source, /^'(?:self|none|nonce-[\w-]{36})'$/, `${what}: ${name}`)
    }
  }
  const objects = directives.get('object-src') ?? directives.get('default-src')
  assert.deepEqual(objects, ["'none'"], `${what}: object-src`)
}

// The policy would block it, and the page would not work.
function assertNothingInline(what: string, { headers, text }: InjectedResponse): void {
  if (headers['content-type']?.startsWith('text/html') !== true) return
  const [, nonce = 'none'] = /'nonce-([^']+)'/.exec(headers['content-security-policy'] ?? '') ?? []
  for (const [tag] of text.matchAll(/<(?:script|style|link|meta|\w+ )[^>]*>/g)) {
    assert.doesNotMatch(tag, /\s(?:on\w+|style)=|javascript:/, what)
    if (/^<(?:script(?![^>]* src=)|style)/.test(tag))
      assert.match(tag, new RegExp(`nonce="${nonce}"`), what)
  }
}
