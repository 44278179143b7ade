import { createServer } from 'node:http'

// Takes what servers export, for each under a path of its own, and says how much came: `GET /<name>`.
// It only counts, so that it needs little of the core it shares with the load.
const [port] = process.argv.slice(2).map(Number)
const spanMark = '"spanId"'
const received = new Map<string, { requests: number; spans: number }>()

const server = createServer((request, response) => {
  const name = request.url?.split('/')[1] ?? ''
  const counts = received.get(name) ?? { requests: 0, spans: 0 }
  received.set(name, counts)
  if (request.method === 'GET') {
    response.end(JSON.stringify(counts))
    return
  }
  counts.requests += 1
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const body = Buffer.concat(chunks)
    for (let at = body.indexOf(spanMark); at !== -1; at = body.indexOf(spanMark, at + 1)) {
      counts.spans += 1
    }
    response.setHeader('content-type', 'application/json').end('{}')
  })
})
server.keepAliveTimeout = 60_000
server.listen(port, '127.0.0.1', () => process.send?.('ready'))
process.on('disconnect', () => process.exit())
