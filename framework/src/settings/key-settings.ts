import type { KeyObject } from 'node:crypto'
import { parseKey } from '../base/crypto/secret-key.ts'
import { env } from './env.ts'
import { scope } from './scope.ts'
import type { ConfigScope, ValuesOf } from './scope.ts'
import type { Variable, VariableKind } from './variable.ts'

/** The values of the scope `key`, which `applicationKey()` takes. */
export type KeyValues = ValuesOf<typeof keyScope>

const key: VariableKind<KeyObject> = {
  expects: '32 bytes as 64 hexadecimal digits or as base64',
  parse: parseKey,
}

const keys: VariableKind<readonly KeyObject[]> = {
  expects: 'keys of 32 bytes, each as 64 hexadecimal digits or as base64, between commas',
  parse(text) {
    const texts = text.split(',').map((part) => part.trim())
    const parsed = texts.filter((part) => part !== '').map(parseKey)
    return parsed.every((found) => found !== undefined) ? Object.freeze(parsed) : undefined
  },
}

/** The scope `key`: what the application encrypts and signs with. */
export const keyScope: ConfigScope<{
  readonly current: Variable<KeyObject | null>
  readonly previous: Variable<readonly KeyObject[]>
}> = scope('key', {
  current: env.optional(
    env.custom('APP_KEY', key, {
      meaning: 'secret the application encrypts and signs with',
      secret: true,
    }),
  ),
  previous: env.custom('APP_PREVIOUS_KEYS', keys, {
    default: Object.freeze([]),
    meaning: 'former values of APP_KEY, which still decrypt',
    secret: true,
  }),
})
