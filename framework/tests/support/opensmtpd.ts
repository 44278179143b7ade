import { spawnSync } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { freePort } from './free-port.ts'
import { GuardedProcess } from './guarded-process.ts'
import { waitFor } from './wait-for.ts'

const program = '/usr/sbin/smtpd'
const controlSockets = ['/run/smtpd.sock', '/var/run/smtpd.sock']

/** An OpenSMTPD that stops with the test. */
export interface OpenSmtpd {
  /** The plain-text port, which offers STARTTLS if it has a certificate. */
  readonly port: number
  /** The TLS port, only open with a certificate. */
  readonly tlsPort: number
  /** The messages it has delivered. */
  letters(): Promise<Buffer[]>
}

/**
 * Whether OpenSMTPD is installed and can be started: it needs root, and no other
 * instance of the system may be running.
 */
export function hasOpenSmtpd(): boolean {
  if (!existsSync(program) || process.getuid?.() !== 0) return false
  if (controlSockets.some((path) => existsSync(path))) return false
  const { stdout, stderr } = spawnSync(program, ['-h'], { encoding: 'utf8' })
  return `${stdout}${stderr}`.includes('OpenSMTPD')
}

/** Starts a server that accepts mail for `example.org` only. */
export async function openSmtpd(
  t: TestContext,
  certificate: { readonly key: string; readonly cert: string } | null = null,
): Promise<OpenSmtpd> {
  const folder = await mkdtemp(join(tmpdir(), 'opensmtpd-'))
  const mails = join(folder, 'mails')
  const [port, tlsPort] = [await freePort(), await freePort()]
  // It delivers as an unprivileged user.
  await chmod(folder, 0o755)
  await mkdir(mails)
  await chmod(mails, 0o777)
  const keep = join(folder, 'keep')
  await writeFile(keep, `#!/bin/sh\nf=$(mktemp ${mails}/XXXXXX)\ncat > $f && mv $f $f.eml\n`, {
    mode: 0o755,
  })
  const configuration = join(folder, 'smtpd.conf')
  await writeFile(
    configuration,
    [
      'table mailboxes { "@" = nobody }',
      ...(await listeners()),
      `action "keep" mda "${keep}" virtual <mailboxes>`,
      'match from any for domain "example.org" action "keep"',
      '',
    ].join('\n'),
  )
  const server = new GuardedProcess(program, ['-d', '-f', configuration], {
    folder,
    signal: 'TERM',
  })
  t.after(() => server.end())
  await waitFor('OpenSMTPD to answer', async () => {
    return (await answers(port)) && (certificate === null || (await listens(tlsPort)))
  }).catch((error: unknown) => {
    throw new Error(`OpenSMTPD did not start: ${server.errors}`, { cause: error })
  })
  return {
    port,
    tlsPort,
    letters: () => Promise.all(globSync(join(mails, '*.eml')).map((path) => readFile(path))),
  }

  async function listeners(): Promise<string[]> {
    const plain = `listen on 127.0.0.1 port ${port} hostname mx.example.org`
    if (certificate === null) return [plain]
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
    await writeFile(key, certificate.key, { mode: 0o600 })
    await writeFile(cert, certificate.cert)
    const pki = 'pki mx.example.org'
    return [
      `${pki} key "${key}"`,
      `${pki} cert "${cert}"`,
      `${plain} tls ${pki}`,
      `listen on 127.0.0.1 port ${tlsPort} hostname mx.example.org smtps ${pki}`,
    ]
  }
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    const end = (answer: boolean): void => {
      socket.destroy()
      resolve(answer)
    }
    socket.on('data', () => end(true)).on('error', () => end(false))
  })
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    const end = (answer: boolean): void => {
      socket.destroy()
      resolve(answer)
    }
    socket.on('connect', () => end(true)).on('error', () => end(false))
  })
}
