import type { ServerValues } from '../../http/server/server-settings.ts'
import type { BuiltInMigration } from '../../migrations/migration-file.ts'
import type { LoadedEnvironment } from '../../settings/env-source.ts'
import type { MessageProblem } from '../../i18n/languages.ts'
import { given } from '../../settings/scope.ts'
import type { ConfigScope } from '../../settings/scope.ts'
import type { Variable } from '../../settings/variable.ts'

/** Looks for one kind of problem. */
export type Check = (context: CheckContext) => readonly Finding[] | Promise<readonly Finding[]>

/** What the checks look at. All of it is on this machine, unless they may ask the database. */
export interface CheckContext {
  /** Folder of the project. */
  readonly root: string
  readonly source: LoadedEnvironment
  /** The framework's own settings. */
  readonly server: ServerValues
  /** The scopes of the framework and of the project. */
  readonly scopes: readonly ConfigScope[]
  /** The names of the route sets in the manifest. */
  readonly routeSets: readonly string[]
  /** Migrations that modules of the project bring. */
  readonly migrations: readonly BuiltInMigration[]
  /** Where the languages of the project differ. */
  readonly messages: readonly MessageProblem[]
  /** Whether the server itself serves TLS. */
  readonly tls: boolean
  readonly now: Date
  /** Whether checks may connect to the database, as with `--deploy`. */
  readonly asksDatabase: boolean
}

/** A problem that `framework check` found, as sentences without a full stop. It contains no secrets. */
export interface Finding {
  /**
   * An error loses data, keys or accounts; everything else is a warning. A note is no problem: it says what a
   * setting means that is right for some projects.
   */
  readonly level: 'error' | 'warning' | 'note'
  /** What is wrong: `APP_URL is not set`. */
  readonly what: string
  /** What happens because of it. */
  readonly why: string
  /** What to do. */
  readonly fix: string
}

/** An error, which `framework check --deploy` fails on. */
export function error(what: string, why: string, fix: string): Finding {
  return { level: 'error', what, why, fix }
}

/** A warning. */
export function warning(what: string, why: string, fix: string): Finding {
  return { level: 'warning', what, why, fix }
}

/** A note. */
export function note(what: string, why: string, fix: string): Finding {
  return { level: 'note', what, why, fix }
}

/** The value of a setting; undefined if the project does not have it, or its value is invalid. */
export function settingOf<T>(
  { scopes, source }: Pick<CheckContext, 'scopes' | 'source'>,
  variable: Variable<T>,
): T | undefined {
  if (!declaredNames(scopes).includes(variable.name)) return undefined
  const found = given(variable, source)
  return found === null ? variable.fallback?.value : variable.parse(found.text)
}

/** The names of all variables that the framework and the project declare. */
export function declaredNames(scopes: CheckContext['scopes']): string[] {
  return scopes.flatMap(({ variables }) => Object.values(variables).map(({ name }) => name))
}
