import { lateModule } from '../base/late-module.ts'
import type * as Module from './languages.ts'

const loadLanguages = lateModule<typeof Module>(import.meta, './languages')

/** Writes the texts of the framework in English, where nothing says another language. */
export function english(timeZone: string = 'UTC'): Module.Translate {
  return loadLanguages().englishOnly().in(null, timeZone)
}
