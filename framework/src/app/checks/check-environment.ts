import { nearNames } from '../../base/templates/near-names.ts'
import { Environments } from '../environments/environments.ts'
import type { Check } from './check-context.ts'
import { warning } from './finding.ts'

const names = Object.values(Environments).filter((name) => typeof name === 'string')

/** The name of the environment: a misspelled one silently means production. */
export const checkEnvironment: Check = ({ source: { environment, named } }) => {
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
  return [warning(`the environment is ${environment}`, why, fix)]
}

/** Abbreviations are more common than typos. */
function nearest(name: string): string | undefined {
  return names.find((known) => known.startsWith(name)) ?? nearNames(name, names)[0]
}
