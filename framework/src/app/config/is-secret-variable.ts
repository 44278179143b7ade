import { isSecretKey } from '../../base/is-secret-key.ts'
import type { Variable } from './variable.ts'

/** Whether nobody may see the value: it was declared so, or its name says so. */
export function isSecretVariable({ name, secret }: Variable<unknown>): boolean {
  return secret || isSecretKey(name)
}
