import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { readMail } from '../../src/mail/read-mail.ts'
import type { ReadMail } from '../../src/mail/read-mail.ts'
import { RunningCommand, runCommand } from '../support/command.ts'
import { freePort } from '../support/free-port.ts'
import { smtpServer } from '../support/smtp-server.ts'
import { waitFor } from '../support/wait-for.ts'
import type { AwaitMail } from './demo-matrix-life.ts'

type Env = Readonly<Record<string, string>>

/** The folder of a project, and the command to serve it. */
export interface MatrixProject {
  readonly app: string
  readonly program: readonly string[]
}

/** The mails that were sent, whatever the transport. */
export type Mailbox = () => Promise<readonly ReadMail[]>

/** Mails of a project without a mail server, which are files. */
export function mailFiles(app: string): Mailbox {
  return () => {
    const names = globSync('*.eml', { cwd: join(app, 'storage', 'mails') }).toSorted()
    return Promise.all(
      names.map((name) => readMail(readFileSync(join(app, 'storage', 'mails', name)))),
    )
  }
}

/** A mail server that requires a login over TLS, and the settings for it. */
export async function mailServer(
  t: TestContext,
  folder: string,
): Promise<{ readonly env: Env; readonly mailbox: Mailbox }> {
  const login = { user: 'shop', pass: 'hunter2-secret' }
  const server = await smtpServer(t, { secure: 'starttls', login })
  const ca = join(folder, `mail-${server.port}.pem`)
  writeFileSync(ca, server.ca)
  return {
    env: {
      MAIL_HOST: '127.0.0.1',
      MAIL_PORT: String(server.port),
      MAIL_USERNAME: login.user,
      MAIL_PASSWORD: login.pass,
      NODE_EXTRA_CA_CERTS: ca,
    },
    mailbox: () => Promise.all(server.received.map(({ raw }) => readMail(raw))),
  }
}

/** A served project, with the environment for its commands. */
export interface MatrixSite {
  readonly url: string
  readonly env: Env
  readonly server: RunningCommand
}

/**
 * Serves a project, changing only the environment: in development like `npm start`, in
 * production after its migrations.
 */
export async function serveProject(
  t: TestContext,
  { app: cwd, program }: MatrixProject,
  environment: 'development' | 'production',
  settings: Env,
): Promise<MatrixSite> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const env = {
    FRAMEWORK_ENVIRONMENT: environment,
    APP_KEY: randomBytes(32).toString('hex'),
    APP_URL: url,
    PORT: String(port),
    ...settings,
  }
  if (environment === 'production') {
    const migrated = await runCommand(t, ['migrate'], { cwd, program, env })
    assert.equal(migrated.status, 0, migrated.stderr)
  }
  const server = new RunningCommand(t, ['serve'], { cwd, program, env })
  await server.url()
  return { url, env, server }
}

/** Waits for mails that are sent directly. */
export function awaitIn(mailbox: Mailbox): AwaitMail {
  return (subject, time = 1) =>
    waitFor(`mail ${time}: ${subject}`, () => mailIn(mailbox, subject, time))
}

/** Waits for mails that stay queued until `queue run mail --once` sends them. */
export function awaitDrained(
  t: TestContext,
  { app: cwd, program }: MatrixProject,
  { env }: MatrixSite,
  mailbox: Mailbox,
): AwaitMail {
  return async (subject, time = 1) => {
    assert.equal(await mailIn(mailbox, subject, time), undefined, `${subject} did not wait`)
    return waitFor(`mail ${time} from the queue: ${subject}`, async () => {
      const ran = await runCommand(t, ['queue', 'run', 'mail', '--once'], { cwd, program, env })
      assert.equal(ran.status, 0, ran.stderr)
      return mailIn(mailbox, subject, time)
    })
  }
}

async function mailIn(
  mailbox: Mailbox,
  subject: string,
  time: number,
): Promise<string | undefined> {
  const mails = (await mailbox()).filter((mail) => mail.header('subject') === subject)
  return mails[time - 1]?.text ?? undefined
}
