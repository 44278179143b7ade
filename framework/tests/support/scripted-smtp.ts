import { once } from 'node:events'
import { createServer } from 'node:net'
import type { Socket } from 'node:net'
import { createInterface } from 'node:readline'
import type { TestContext } from 'node:test'

/** A mail server that says what it is told to, for what no proper server does. */
export interface ScriptedSmtp {
  readonly port: number
  /** Everything clients said, line by line. */
  readonly heard: readonly string[]
}

/** Gives the answer to a line, or null to say nothing; '' is the greeting. The socket is for worse. */
export type SmtpScript = (line: string, socket: Socket) => string | null

/** What a server without any extension answers. */
export function plainAnswer(line: string): string {
  if (line === '') return '220 ready'
  if (line === 'DATA') return '354 go on'
  if (/^(STARTTLS|AUTH)/.test(line)) return '502 5.5.1 unknown'
  return line === 'QUIT' ? '221 bye' : '250 fine'
}

/** Starts a server that ends with the test. The lines of a letter are answered at its final dot. */
export async function scriptedSmtp(t: TestContext, script: SmtpScript): Promise<ScriptedSmtp> {
  const heard: string[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    const say = (line: string): void => {
      const answer = script(line, socket)
      if (answer !== null) socket.write(`${answer}\r\n`)
    }
    let inLetter = false
    say('')
    createInterface({ input: socket }).on('line', (line) => {
      heard.push(line)
      if (inLetter && line !== '.') return
      inLetter = line === 'DATA'
      say(line)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(async () => {
    for (const socket of sockets) socket.destroy()
    server.close()
    await once(server, 'close')
  })
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('a TCP server has no port')
  return { port: address.port, heard }
}
