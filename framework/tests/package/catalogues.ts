import { globSync, readFileSync } from 'node:fs'
import { STATUS_CODES } from 'node:http'
import { join } from 'node:path'
import { parseMessage } from '../../src/i18n/message.ts'
import { shownTexts } from '../support/shown-texts.ts'

/** The languages that the framework speaks besides English. */
export const spoken = ['de', 'fr', 'es'] as const

/** What is wrong with the catalogues of a part of the framework: its sources, and its folder `messages`. */
export function catalogueProblems(sources: readonly string[], messages: string): string[] {
  const code = sources.map((file) => readFileSync(file, 'utf8')).join('\n')
  const used = new Set(writtenKeys(code))
  // A text may be broken into lines, and quotes may be escaped, where it is not passed to `t` itself.
  const plain =
    code.replaceAll(/'\s*\+\s*'|\\(?=['"])/g, '') + Object.values(STATUS_CODES).join('\n')
  return spoken.flatMap((language) => {
    const texts: Record<string, string> = JSON.parse(
      readFileSync(join(messages, `${language}.json`), 'utf8'),
    )
    const missing = [...used].filter((key) => texts[key] === undefined)
    const stale = Object.keys(texts).filter((key) => !plain.includes(key))
    const differing = Object.entries(texts).filter(([key, text]) => namesIn(key) !== namesIn(text))
    return missing
      .map((key) => `${language} lacks '${key}'`)
      .concat(
        stale.map((key) => `${language} has '${key}', which nothing shows`),
        differing.map(([key]) => `${language} has other values or tags in '${key}'`),
      )
  })
}

/** The literal keys in calls of `t` and `t.html`. */
function writtenKeys(code: string): string[] {
  const calls = code.matchAll(/(?<![$\w])t(?:\.html)?\(\s*(['"`])((?:(?!\1)[^\\]|\\.)+?)\1/g)
  return [...calls].map(([, , key = '']) => key.replaceAll(/\\(.)/g, '$1'))
}

/** Names of values and tags, which a translation has as well, in any order. */
function namesIn(text: string): string {
  const tags = [...text.matchAll(/<\/?[a-z][^>]*>/g)].map(([tag]) => tag)
  return [...parseMessage(text).names, ...tags].toSorted().join(' ')
}

/** Texts that stand in templates rather than in a catalogue, as `file: text`. */
export function bareTexts(folder: string): string[] {
  return globSync('**/*.template.html', { cwd: folder }).flatMap((file) =>
    textsOf(readFileSync(join(folder, file), 'utf8')).map((text) => `${file}: ${text}`),
  )
}

/** What is the same in every language. */
const same: ReadonlySet<string> = new Set(['API', 'UTC'])

/** The texts with letters of a template, without its code. */
export function textsOf(template: string): string[] {
  return shownTexts(template.replaceAll(/<%[^]*?%>/g, ' '))
    .flatMap((text) => text.split('\n'))
    .map((text) => text.trim())
    .filter((text) => /\p{L}/u.test(text) && !same.has(text))
}
