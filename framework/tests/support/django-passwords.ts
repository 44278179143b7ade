import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { findDjangoPasswords } from './django-passwords-file.ts'
import { programMissing } from './test-programs.ts'

const path = findDjangoPasswords()

/** Why the list is not here; false if it is. */
export const djangoMissing: string | false =
  path === null && programMissing('the common passwords of Django')

/** The common passwords of Django: a list that we did not make. */
export function djangoPasswords(): readonly string[] {
  return path === null ? [] : gunzipSync(readFileSync(path)).toString().trimEnd().split('\n')
}
