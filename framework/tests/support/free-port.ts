import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

// Below the ports that systems give to outgoing connections and to servers on port 0, so that
// nothing takes one between the look and its use; by chance, so that parallel tests rarely meet.
const range = [10_000, 32_000] as const

/** A port of the loopback address that nothing listens on. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(...range)
    if (await isFree(port)) return port
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer().once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
