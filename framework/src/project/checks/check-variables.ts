import { nearNames } from '../../base/templates/near-names.ts'
import type { Check } from './check-context.ts'
import { warning } from './finding.ts'
import { declaredNames } from './setting-of.ts'

/** Variables that begin with `APP_` and that nothing reads: a typo would otherwise go unnoticed. */
export const checkVariables: Check = ({ source, scopes }) => {
  const declared = declaredNames(scopes)
  const unknown = source
    .names()
    .filter((name) => name.startsWith('APP_') && !declared.includes(name))
  return unknown.map((name) => {
    const [near] = nearNames(name, declared, 1)
    const fix =
      near === undefined
        ? 'remove it, or declare it in a scope of the project'
        : `did you mean ${near}? Otherwise remove it, or declare it in a scope of the project`
    return warning(`${name} is set, but no setting has that name`, 'its value has no effect', fix)
  })
}
