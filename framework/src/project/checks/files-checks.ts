import { accessSync, constants, globSync, readdirSync, statSync } from 'node:fs'
import type { Dirent } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { nearestExisting, unwritableReason } from '../../base/files/explain-unwritable.ts'
import { hasCode } from '../../base/errors.ts'
import { databaseScope } from '../../database/database-settings.ts'
import { parseDatabaseUrl } from '../../database/database-url.ts'
import { error, settingOf, warning } from './check.ts'
import type { Check, CheckContext, Finding } from './check.ts'

const secretFiles = ['.env', '.env.*', 'storage/*.key', 'storage/tls/*.pem', 'storage/mails/*.eml']
/** There may be many mails; the first ones tell. */
const maxSecretFiles = 1_000

/** Whether other accounts of this machine can read settings, keys, mails or the database. */
export const checkSecretFiles: Check = (context) => {
  const { root } = context
  const found = globSync(secretFiles, { cwd: root })
    .filter((file) => file !== '.env.example')
    .slice(0, maxSecretFiles)
    .map((file) => join(root, file))
  const database = databaseFile(context)
  const rows = database === null ? [] : [database, `${database}-wal`]
  const readable = [...found, ...rows].filter((file) => othersCan(4, file))
  if (readable.length === 0) return []
  const shown = firstOf(readable.map((file) => relative(root, file)))
  const why = 'they contain passwords, keys, or links that open accounts'
  const fix = 'run chmod 600 on these files, or chmod 700 on their folder'
  return [error(`every account of this machine can read ${shown}`, why, fix)]
}

/** The file of the database, if it is one. */
function databaseFile(context: CheckContext): string | null {
  const url = settingOf(context, databaseScope.variables.url)
  const file = url === undefined ? null : parseDatabaseUrl(url).file
  return file === null ? null : resolve(context.root, file)
}

/** Texts that a language lacks, or that take other values than those of the default one. */
export const checkMessages: Check = ({ messages }) => {
  if (messages.length === 0) return []
  const shown = firstOf(
    messages.map(({ language, key, why }) => `'${key}' ${why} in '${language}'`),
  )
  const why = 'its pages show the text of the default language instead, or fail'
  return [warning(`messages differ: ${shown}`, why, 'add them to the catalogue of the language')]
}

const unfit =
  /^(?:package(?:-lock)?\.json|tsconfig\.json|Dockerfile|node_modules)$|\.(?:map|[cm]?tsx?|db|sql\w*|log|eml|pem|key|bak|old|orig|swp)$|~$/i
/** A folder of uploads may be huge, and a start must not wait for it. */
const maxEntries = 10_000

/** Files in `public/` that belong to development and that every visitor could download. */
export const checkPublicFiles: Check = ({ root }) => {
  const folder = join(root, 'public')
  const found = unfitFiles(folder).map((file) => relative(root, file))
  if (found.length === 0) return []
  const why = 'every visitor can download them, and read your sources or data'
  const fix = 'move them out of public/, or leave them out of the deployment'
  return [warning(`public/ contains files of development: ${firstOf(found)}`, why, fix)]
}

function unfitFiles(folder: string): string[] {
  const found: string[] = []
  const folders = [folder]
  let seen = 0
  for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
    for (const entry of entriesOf(next)) {
      seen += 1
      if (seen > maxEntries) return found
      // Names that begin with a dot are not served.
      if (entry.name.startsWith('.')) continue
      const path = join(next, entry.name)
      if (unfit.test(entry.name)) found.push(path)
      else if (entry.isDirectory()) folders.push(path)
    }
  }
  return found
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch (thrown) {
    if (hasCode(thrown, 'ENOENT', 'EACCES')) return []
    throw thrown
  }
}

const served = ['.env', '.env.*', 'storage', 'storage/*', 'public', 'public/**']
/** There may be many files; the first ones tell. */
const maxServedFiles = 10_000

/**
 * Whether this user can write where the project writes: logs, metrics, mails, the database. And whether
 * other accounts of this machine can change what it stores or serves.
 */
export const checkWritableFolders: Check = (context) => [
  ...openToOthers(context),
  ...unwritable(context),
]

function openToOthers({ root }: CheckContext): readonly Finding[] {
  const paths = globSync(served, { cwd: root }).slice(0, maxServedFiles)
  const open = [...new Set(paths)].filter((path) => othersCan(2, join(root, path)))
  if (open.length === 0) return []
  const why = 'each of them can replace keys, rows, or the scripts that your visitors run'
  const fix = 'run chmod -R o-w storage public .env*'
  return [error(`every account of this machine can change ${firstOf(open)}`, why, fix)]
}

function unwritable(context: CheckContext): readonly Finding[] {
  const folders = new Set(foldersOf(context).map(nearestExisting))
  return [...folders].flatMap((folder) => {
    const reason = unwritableFolder(folder)
    if (reason === null) return []
    const why = 'logs, metrics or rows cannot be written'
    const fix = 'let the user that serves the project own its storage folder'
    return [warning(reason, why, fix)]
  })
}

function foldersOf(context: CheckContext): string[] {
  const { root, server } = context
  const file = databaseFile(context)
  return [
    join(root, 'storage'),
    join(root, 'storage', 'logs'),
    resolve(root, server.observabilityFolder),
    ...(file === null ? [] : [dirname(file)]),
  ]
}

function unwritableFolder(folder: string): string | null {
  try {
    // The "/." makes it fail for a file.
    accessSync(`${folder}/.`, constants.W_OK | constants.X_OK)
    return null
  } catch (thrown) {
    return unwritableReason(thrown, folder)
  }
}

const minuteMs = 60_000
const dayMs = 86_400_000

/** A time that is certainly past, and how we know. */
interface Evidence {
  readonly what: string
  readonly timeMs: number
  /** How far it may be ahead of a clock that is right. */
  readonly marginMs: number
}

/** Whether the clock is behind the files of the project; more cannot be known without a network. */
export const checkClock: Check = ({ root, now }) => {
  const ahead = [...fileTimes(root), ...migrationTimes(root)].find(
    ({ timeMs, marginMs }) => timeMs - marginMs > now.getTime(),
  )
  if (ahead === undefined) return []
  const what = `the clock says ${shown(now.getTime())}, but ${ahead.what} is of ${shown(ahead.timeMs)}`
  const why = 'sessions, links and devices end at the wrong time, and certificates seem invalid'
  return [warning(what, why, 'set the clock, and keep it right with NTP')]
}

function fileTimes(root: string): Evidence[] {
  const files = ['package.json', 'package-lock.json', 'project.ts', 'project.js']
  return files.flatMap((file) => {
    const stats = statSync(join(root, file), { throwIfNoEntry: false })
    return stats === undefined ? [] : [{ what: file, timeMs: stats.mtimeMs, marginMs: minuteMs }]
  })
}

// Named after the time in UTC; a name written by hand may be in another time zone.
function migrationTimes(root: string): Evidence[] {
  return globSync('*', { cwd: join(root, 'migrations') }).flatMap((name) => {
    const [, year, month, day, hour, minute, second] =
      /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)_/.exec(name) ?? []
    const timeMs = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
    if (Number.isNaN(timeMs)) return []
    return [{ what: `migrations/${name}`, timeMs, marginMs: dayMs }]
  })
}

function shown(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 16).replace('T', ' ')
}

const maxShown = 3

/**
 * Whether every account of this machine can read (4) or change (2) a file or folder: it has the permission
 * for others, in folders that others may enter. Never on Windows, which has no such permissions.
 */
function othersCan(permission: 2 | 4, path: string): boolean {
  if (process.platform === 'win32' || !hasMode(path, permission)) return false
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
    if (!hasMode(folder, 0o001)) return false
  }
  return true
}

/** The first ones of a list, and how many more there are. */
function firstOf(names: readonly string[]): string {
  const more = names.length > maxShown ? ` and ${names.length - maxShown} more` : ''
  return names.slice(0, maxShown).join(', ') + more
}

function hasMode(path: string, bits: number): boolean {
  const stats = statSync(path, { throwIfNoEntry: false })
  return stats !== undefined && (stats.mode & bits) !== 0
}
