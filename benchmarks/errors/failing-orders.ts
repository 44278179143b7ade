import { once } from 'node:events'
import { get } from 'node:http'
import { shop } from './application/shop.ts'

/** How many frames the errors of this benchmark have. */
export const FRAMES = 22

/**
 * Places orders over a real connection and gives the errors they fail with: fresh ones, each of 22
 * frames, some of the application and some of packages.
 */
export async function failingOrders(count: number): Promise<readonly Error[]> {
  const errors: Error[] = []
  const usual = Error.stackTraceLimit
  Error.stackTraceLimit = FRAMES
  const application = shop((error) => {
    if (error instanceof Error) errors.push(error)
  })
  const server = application.listen(0, '127.0.0.1')
  try {
    await once(server, 'listening')
    const address = server.address()
    const port = typeof address === 'object' ? address?.port : undefined
    for (let number = 1; number <= count; number += 1) {
      const [response] = await once(
        get({ host: '127.0.0.1', port, path: `/shop/orders/${number}` }),
        'response',
      )
      response.resume()
      await once(response, 'close')
    }
  } finally {
    Error.stackTraceLimit = usual
    server.close()
    server.closeAllConnections()
  }
  if (errors.length !== count) throw new Error(`${count} orders failed ${errors.length} times`)
  return errors.map(checked)
}

function checked(error: Error): Error {
  const frames = error.stack?.match(/^ {4}at /gm)?.length ?? 0
  if (frames !== FRAMES) throw new Error(`expected ${FRAMES} frames, got ${frames}: ${error.stack}`)
  return error
}
