import { once } from 'node:events'
import { createServer } from 'node:net'
import type { Socket } from 'node:net'
import { createInterface } from 'node:readline'
import type { TestContext } from 'node:test'

/** A mail server with scripted replies, for behaviour that no proper server shows. */
export interface ScriptedSmtp {
  readonly port: number
  /** All lines that clients sent. */
  readonly heard: readonly string[]
}

/** Returns the reply to a line, or null for none; '' stands for the greeting. The socket allows worse. */
export type SmtpScript = (line: string, socket: Socket) => string | null

/** The replies of a server without extensions. */
export function plainAnswer(line: string): string {
  if (line === '') return '220 ready'
  if (line === 'DATA') return '354 go on'
  if (/^(STARTTLS|AUTH)/.test(line)) return '502 5.5.1 unknown'
  return line === 'QUIT' ? '221 bye' : '250 fine'
}

/** Starts a server that stops with the test. A message is answered at its final dot. */
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
