import { createServer } from 'node:http'
import type { Finding } from './finding.ts'
import type { Cleanup } from './cleanup.ts'

/** An address that a site with SSRF would fetch. */
export interface CallHome {
  readonly url: string
  /** One per request by anyone other than the scanner. */
  readonly findings: readonly Finding[]
}

/** Serves that address. The scanner asks it for hits and gets none: we record them here. */
export async function openCallHome(cleanup: Cleanup): Promise<CallHome> {
  const findings: Finding[] = []
  const server = createServer((request, response) => {
    const { url = '' } = request
    if (!url.startsWith('/get_')) {
      findings.push({ by: 'wapiti', kind: 'request forgery', where: url, detail: 'it was fetched' })
    }
    response.setHeader('Content-Type', 'application/json')
    response.end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  cleanup.after(() => void server.close())
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  return { url: `http://127.0.0.1:${port}/`, findings }
}
