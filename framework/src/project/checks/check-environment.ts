import { nearNames } from '../../base/templates/near-names.ts'
import type { LoadedEnvironment } from '../../settings/env-source.ts'
import { Environments } from '../../settings/environments.ts'
import type { Check } from './check-context.ts'
import { error, warning } from './finding.ts'
import type { Finding } from './finding.ts'

const names = Object.values(Environments).filter((name) => typeof name === 'string')

/** The environment of the project, and the one that packages read. */
export const checkEnvironment: Check = ({ source }) => [
  ...checkName(source),
  ...checkPackages(source),
]

/** A misspelled name silently means production. */
function checkName({ environment, named }: LoadedEnvironment): readonly Finding[] {
  if (named !== undefined && named !== '' && !names.some((name) => name === named)) {
    const near = nearest(named.toLowerCase())
    const hint = near === undefined ? '' : `; did you mean ${near}?`
    const what = `FRAMEWORK_ENVIRONMENT is ${JSON.stringify(named)}, which is not an environment`
    const fix = `use one of ${names.join(', ')}${hint}`
    return [warning(what, 'anything unknown counts as production', fix)]
  }
  if (environment !== Environments.Development && environment !== Environments.Test) return []
  const why = 'error pages show source code, and test accounts with known passwords may exist'
  const fix = 'unset FRAMEWORK_ENVIRONMENT, or set it to production, where strangers can reach it'
  return [error(`the environment is ${environment}`, why, fix)]
}

function checkPackages(source: LoadedEnvironment): readonly Finding[] {
  const name = source.lookup('NODE_ENV')?.text
  if (name !== 'development' && name !== 'test') return []
  const why = 'packages that read it are slower and may show what is for developers'
  return [warning(`NODE_ENV is ${name}`, why, 'unset NODE_ENV, or set it to production')]
}

/** Abbreviations are more common than typos. */
function nearest(name: string): string | undefined {
  return names.find((known) => known.startsWith(name)) ?? nearNames(name, names)[0]
}
