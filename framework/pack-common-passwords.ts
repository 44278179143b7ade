import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gunzipSync } from 'node:zlib'

/**
 * Writes the list of common passwords that the framework ships. Which passwords people use most is a
 * fact; it is taken from these lists, all of which come from published leaks:
 *
 * - `django/contrib/auth/common-passwords.txt.gz` of Django (Debian package `python3-django`), BSD-3-Clause
 * - `lib/frequency_lists.js` of `zxcvbn` 4 (npm), MIT
 * - `src/passwords.json` of `@zxcvbn-ts/language-common` 4 (npm), MIT
 *
 * Pass the paths of the three files, in this order.
 */
const [django = '', zxcvbn = '', zxcvbnTs = ''] = process.argv.slice(2)
const target = join(import.meta.dirname, 'src/accounts/passwords/common-passwords.br')

const found = [
  ...gunzipSync(readFileSync(django)).toString().split('\n'),
  ...(/\bpasswords: "(.+?)"\.split/.exec(readFileSync(zxcvbn, 'utf8'))?.[1] ?? '').split(','),
  ...JSON.parse(readFileSync(zxcvbnTs, 'utf8')),
]
const passwords = found
  .map((text) => String(text).normalize('NFC').toLowerCase())
  .filter((text) => Array.from(text).length >= 8 && /^[^\p{Cc}]+$/u.test(text))
// In the order of their bytes, as they are searched.
const lines = [...new Set(passwords)]
  .map((text) => Buffer.from(`${text}\n`))
  .sort((one, other) => one.compare(other))
const packed = brotliCompressSync(Buffer.concat(lines), {
  params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY },
})
writeFileSync(target, packed)
process.stdout.write(`${lines.length} passwords in ${packed.length} bytes\n`)
