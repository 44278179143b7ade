import { isSecretKey } from '../base/is-secret-key.ts'
import type { Variable } from './variable.ts'

/** Whether the value must not be shown: it was declared secret, or its name suggests it. */
export function isSecretVariable({ name, secret }: Variable<unknown>): boolean {
  return secret || isSecretKey(name)
}
