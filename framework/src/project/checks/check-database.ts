import { parseDatabaseUrl } from '../../database/database-url.ts'
import { drivers } from '../../database/drivers.ts'
import type { ConnectionSettings } from '../../database/connection-settings.ts'
import { databaseScope } from '../../database/database-settings.ts'
import type { Check } from './check-context.ts'
import { error, warning } from './finding.ts'
import type { Finding } from './finding.ts'
import { isLoopbackHost } from '../../base/addresses/is-loopback-host.ts'
import { settingOf } from './setting-of.ts'

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
