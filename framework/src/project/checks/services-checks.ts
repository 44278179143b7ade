import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { isLoopbackHost } from '../../base/network.ts'
import { maskText } from '../../base/mask-text.ts'
import { toError } from '../../base/to-error.ts'
import { connect } from '../../database/connect.ts'
import type { ConnectionSettings } from '../../database/connection-settings.ts'
import { databaseScope, databaseUrlIn } from '../../database/database-settings.ts'
import { parseDatabaseUrl } from '../../database/database-url.ts'
import { drivers } from '../../database/drivers.ts'
import { DEFAULT_SENDER } from '../../mail/address.ts'
import { MailSecurity } from '../../mail/smtp-options.ts'
import { mailScope } from '../../mail/mail-settings.ts'
import { listMigrations } from '../../migrations/migration-file.ts'
import type { BuiltInMigration } from '../../migrations/migration-file.ts'
import { pendingMigrations } from '../../migrations/migrator.ts'
import { redisScope } from '../../redis/redis-settings.ts'
import { parseRedisUrl, redisLabel } from '../../redis/redis-url.ts'
import { error, settingOf, warning } from './check.ts'
import type { Check, CheckContext, Finding } from './check.ts'

/** The connection to the database, as far as its URL tells. */
export const checkDatabase: Check = (context) => {
  const url = settingOf(context, databaseScope.variables.url)
  if (url === undefined) return []
  const settings = parseDatabaseUrl(url)
  if (settings.host === '') return settings.file === null ? [inMemory()] : []
  return [...connectionFindings(settings), ...passwordFindings(settings)]
}

function inMemory(): Finding {
  const fix = 'set DATABASE_URL to a file or a database server'
  return error('the database is in memory', 'a restart loses everything', fix)
}

function connectionFindings({ host, tls, label }: ConnectionSettings): Finding[] {
  if (tls === 'on' || isLoopbackHost(host)) return []
  if (tls === 'off') {
    const what = `the connection to ${label} is not encrypted`
    const why = 'whoever sees the network traffic reads the password of the database and its rows'
    return [error(what, why, 'add tls=on to the options of DATABASE_URL')]
  }
  const what = `the certificate of ${label} is not verified`
  const why = 'a machine in between can pose as the database and read everything'
  const fix = 'use tls=on, with the authority of the database in NODE_EXTRA_CA_CERTS if needed'
  return [warning(what, why, fix)]
}

function passwordFindings({ dialect, password }: ConnectionSettings): Finding[] {
  const suggested = drivers[dialect].projectUrl?.('name')
  if (suggested === undefined || parseDatabaseUrl(suggested).password !== password) return []
  const what = 'DATABASE_URL has the example password that `framework new` writes'
  return [warning(what, 'it is the first one that a stranger tries', 'choose a random one')]
}

/** Whether the database has every migration of the project. The only check that opens a connection. */
export const checkMigrations: Check = async (context) => {
  const { root, asksDatabase, migrations } = context
  const given = settingOf(context, databaseScope.variables.url)
  const folder = join(root, 'migrations')
  if (!asksDatabase || given === undefined || (migrations.length === 0 && !existsSync(folder)))
    return []
  try {
    const pending = await pendingOf(databaseUrlIn(root, given), folder, migrations)
    const [first] = pending
    if (first === undefined) return []
    const count = pending.length === 1 ? 'a migration is' : `${pending.length} migrations are`
    const why = 'requests that need the new tables or columns fail'
    return [error(`${count} pending, from ${first} on`, why, 'run framework migrate')]
  } catch (thrown) {
    const reason = maskText(toError(thrown).message)
    const what = `the database cannot be asked for pending migrations: ${reason}`
    const fix = 'run the check where the project will run, or framework migrate status there'
    return [warning(what, 'the release may need tables that are missing', fix)]
  }
}

async function pendingOf(
  url: string,
  folder: string,
  builtIn: readonly BuiltInMigration[],
): Promise<readonly string[]> {
  const { file, host } = parseDatabaseUrl(url)
  // Connecting would create the file.
  if (host === '' && (file === null || !existsSync(file))) {
    const needed = await listMigrations(folder, builtIn)
    return needed.filter((one) => one.builtIn?.isNeeded !== false).map(({ name }) => name)
  }
  const database = await connect(url)
  try {
    return await pendingMigrations(database, folder, { builtIn })
  } finally {
    await database.close()
  }
}

/** The connection to Redis, as far as its URL tells. */
export const checkRedis: Check = (context) => {
  const url = settingOf(context, redisScope.variables.url)
  if (url === undefined || url === '') return []
  const settings = parseRedisUrl(url)
  if (isLoopbackHost(settings.host)) return []
  const label = redisLabel(settings)
  const findings: Finding[] = []
  if (settings.tls === 'off') {
    const why = 'whoever sees the network traffic reads sessions and jobs'
    const fix = 'begin REDIS_URL with rediss://'
    findings.push(warning(`the connection to ${label} is not encrypted`, why, fix))
  } else if (settings.tls === 'unverified') {
    const why = 'a machine in between can pose as Redis and read everything'
    const fix = 'remove tls=unverified, with the authority in NODE_EXTRA_CA_CERTS if needed'
    findings.push(warning(`the certificate of ${label} is not verified`, why, fix))
  }
  if (settings.password === '') {
    const why = 'every machine that reaches it can read and end the sessions of your visitors'
    const fix = 'set a password in Redis and in REDIS_URL'
    findings.push(warning(`${label} is used without a password`, why, fix))
  }
  return findings
}

/** Whether mails reach people, if the project sends any. */
export const checkMail: Check = (context) => {
  const host = settingOf(context, mailScope.variables.host)
  if (host === undefined) return []
  if (host === '') {
    const why = 'mails are files in storage/mails, so nobody gets a link to reset a password'
    return [warning('MAIL_HOST is not set', why, 'set MAIL_HOST to your mail server')]
  }
  return [...checkSender(context), ...checkConnection(context, host)]
}

function checkSender(context: CheckContext): readonly Finding[] {
  if (settingOf(context, mailScope.variables.from) !== DEFAULT_SENDER) return []
  const why = 'most mail servers refuse mails from it or put them among the spam'
  const fix = 'set MAIL_FROM to an address of your domain, such as no-reply@shop.example'
  return [warning(`MAIL_FROM is ${DEFAULT_SENDER}`, why, fix)]
}

function checkConnection(context: CheckContext, host: string): readonly Finding[] {
  const secure = settingOf(context, mailScope.variables.secure)
  if (secure !== MailSecurity.None || isLoopbackHost(host)) return []
  const why = 'whoever sees the network traffic reads links that reset passwords'
  const fix = 'set MAIL_SECURE to starttls or tls'
  return [warning('mails are sent over an unencrypted connection', why, fix)]
}
