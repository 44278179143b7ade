import { inspect } from 'node:util'
import { spiced } from './planted-secrets.ts'
import type { Place, Secrets } from './planted-secrets.ts'

/** A public value in every error, to show that its place is displayed. */
export const OPEN = 'in-plain-sight'

/** Values to throw, by name: each has secrets where errors of real programs do. */
export function leakyErrors(secrets: Secrets): Readonly<Record<string, () => unknown>> {
  const secret = (place: Place): string => spiced(secrets, place)
  const encoded = (place: Place): string => encodeURIComponent(secret(place))

  return {
    message: () =>
      new Error(
        `${OPEN}: cannot reach postgres://app:${encoded('url in the message')}@db.test/shop, ` +
          `nor https://db.test/?page=${OPEN}&token=${encoded('query in the message')}, ` +
          `nor https://db.test/?user%5Bpassword%5D=${encoded('nested query in the message')}`,
      ),
    spellings: () => {
      const password = secret('object in the message')
      const headers = { 'x-api-key': secret('headers in the message') }
      const text = JSON.stringify({ password: secret('json in json in the message') })
      return new Error(
        [
          OPEN,
          `token: ${secret('prose in the message')}`,
          `password = ${secret('assignment in the message')}`,
          inspect({ user: OPEN, password, nested: { headers } }),
          JSON.stringify({ tokens: [secret('json in the message')], text }),
        ].join('\n'),
      )
    },
    brokenUrl: () => {
      const [head, tail] = secrets['broken url in the message']
      return new Error(`${OPEN}: cannot reach redis://app:${head}/${tail}#${tail}@cache.test/0`)
    },
    plainCause: () =>
      new Error('the order failed', {
        cause: {
          open: OPEN,
          password: secret('plain cause'),
          url: `amqp://app:${encoded('url in a plain cause')}@queue.test`,
        },
      }),
    cause: () =>
      new Error('the order failed', {
        cause: new TypeError(`${OPEN} https://app:${encoded('cause')}@db.test/`, {
          cause: new RangeError(`${OPEN} /login?api_key=${encoded('cause of the cause')}`),
        }),
      }),
    aggregate: () =>
      new AggregateError(
        [new Error(`${OPEN} https://a:${encoded('aggregated error')}@b.test`), secret('cause')],
        'several orders failed',
      ),
    properties: () => withProperties(new Error('the order failed'), secret, encoded),
    thrownObject: () => ({ open: OPEN, apiKey: secret('thrown object') }),
    thrownText: () => `${OPEN} https://a:${encoded('thrown text')}@b.test`,
    className: () => {
      const error = new Error(OPEN)
      error.name = `Failure of https://a:${encoded('class name')}@b.test`
      return error
    },
    frames: () => {
      const error = new Error(OPEN)
      // Like an error that was received over the network.
      error.stack = `Error: x\n    at send (https://a:${encoded('frame')}@b.test/${OPEN}.js:1:2)`
      return error
    },
  }
}

function withProperties(
  error: Error,
  secret: (place: Place) => string,
  encoded: (place: Place) => string,
): Error {
  const guarded = {
    get sessionToken() {
      return secret('nested getter')
    },
  }
  Object.defineProperty(error, 'secretKey', { enumerable: true, get: () => secret('getter') })
  return Object.assign(error, {
    open: OPEN,
    password: secret('property'),
    options: { open: OPEN, auth: { clientSecret: secret('nested property') } },
    guarded,
    seen: new Map([
      ['open', OPEN],
      ['x-api-key', secret('map')],
    ]),
    pairs: [
      ['open', OPEN],
      ['password', secret('pair')],
    ],
    rawHeaders: ['Accept', OPEN, 'Cookie', secret('raw header')],
    headers: new Headers({ accept: OPEN, authorization: encoded('headers object') }),
    address: new URL(`https://a:${encoded('url object')}@b.test/${OPEN}`),
    link: new URL(`https://b.test/${OPEN}?token=${encoded('query of a url object')}`),
  })
}
