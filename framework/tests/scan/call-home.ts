import { createServer } from 'node:http'
import type { Finding } from './finding.ts'
import type { Ending } from './ending.ts'

/** The place that a site which can be talked into fetching addresses would fetch. */
export interface CallHome {
  readonly url: string
  /** One for each time that somebody other than the scanner came. */
  readonly findings: readonly Finding[]
}

/** Opens that place. The scanner itself asks it what came, and is told nothing: we saw it here. */
export async function openCallHome(ending: Ending): Promise<CallHome> {
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
  ending.after(() => void server.close())
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  return { url: `http://127.0.0.1:${port}/`, findings }
}
