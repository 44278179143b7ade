import { join } from 'node:path'
import { Environments } from './environments.ts'
import { readEnvFile } from './env-file.ts'

/** The text of a variable and its origin: `the environment` or the name of a file. */
export interface Given {
  readonly text: string
  readonly origin: string
}

/** Where the values of variables come from. */
export interface EnvSource {
  readonly environment: Environments
  lookup(name: string): Given | null
}

/** The variables of a process and of the `.env` files of a project. */
export interface LoadedEnvironment extends EnvSource {
  /** The name of the environment as it was written; undefined if there was none. */
  readonly named: string | undefined
  /** The names of all variables that are set. */
  names(): readonly string[]
}

/** Texts by variable name, as in `process.env`. */
export type EnvTexts = Readonly<Record<string, string | undefined>>

/** Options of `loadEnvironment`. */
export interface LoadEnvironmentOptions {
  /** Folder of the project, which contains the `.env` files. */
  readonly root: string
  /** Takes precedence over `FRAMEWORK_ENVIRONMENT` in the process environment or `.env`. */
  readonly environment?: Environments | undefined
  /** @default process.env */
  readonly env?: EnvTexts | undefined
}

/**
 * Loads the environment variables. The process environment wins over `.env.<environment>`, which
 * wins over `.env`.
 * @throws ConfigurationError when a file exists and cannot be read or parsed.
 */
export function loadEnvironment({
  root,
  environment: chosen,
  env = process.env,
}: LoadEnvironmentOptions): LoadedEnvironment {
  const common = readEnvFile(join(root, '.env'), '.env')
  const named = env['FRAMEWORK_ENVIRONMENT'] ?? common.get('FRAMEWORK_ENVIRONMENT')
  const environment = chosen ?? Environments.fetch(named)
  const file = `.env.${environment}`
  const specific = readEnvFile(join(root, file), file)
  return {
    environment,
    named: chosen ?? named,
    names: () => [...new Set([...Object.keys(env), ...specific.keys(), ...common.keys()])],
    lookup(name) {
      // Own properties only: `constructor` is not a setting.
      const text = Object.hasOwn(env, name) ? env[name] : undefined
      if (text !== undefined) return { text, origin: 'the environment' }
      return fromFile(specific, name, file) ?? fromFile(common, name, '.env')
    },
  }
}

function fromFile(texts: ReadonlyMap<string, string>, name: string, origin: string): Given | null {
  const text = texts.get(name)
  return text === undefined ? null : { text, origin }
}
