import { join } from 'node:path'
import { Environments } from '../environments/environments.ts'
import { readEnvFile } from './env-file.ts'

/** A text that was given for a variable, and where: `the environment` or the name of a file. */
export interface Given {
  readonly text: string
  readonly origin: string
}

/** Where configuration takes its texts from. */
export interface EnvSource {
  readonly environment: Environments
  lookup(name: string): Given | null
}

/** Texts by variable name, as in `process.env`. */
export type EnvTexts = Readonly<Record<string, string | undefined>>

/** What an environment is loaded from. */
export interface LoadEnvironmentOptions {
  /** Folder of the project, where `.env` files lie. */
  readonly root: string
  /** Decides over `FRAMEWORK_ENVIRONMENT`, which the process or `.env` may name. */
  readonly environment?: Environments | undefined
  /** In place of `process.env`. */
  readonly env?: EnvTexts | undefined
}

/**
 * Gathers what is given for variables. The process environment wins over `.env.<environment>`,
 * which wins over `.env`.
 * @throws ConfigurationError when a file is there and cannot be understood.
 */
export function loadEnvironment({
  root,
  environment: chosen,
  env = process.env,
}: LoadEnvironmentOptions): EnvSource {
  const common = readEnvFile(join(root, '.env'), '.env')
  const named = env['FRAMEWORK_ENVIRONMENT'] ?? common.get('FRAMEWORK_ENVIRONMENT')
  const environment = chosen ?? Environments.fetch(named)
  const file = `.env.${environment}`
  const specific = readEnvFile(join(root, file), file)
  return {
    environment,
    lookup(name) {
      // Own properties only: `constructor` is nobody's setting.
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
