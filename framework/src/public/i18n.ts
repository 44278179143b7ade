export { day, timeZones } from '../i18n/day.ts'
export { defineLanguages, Languages } from '../i18n/languages.ts'
export type { Translate } from '../i18n/languages.ts'
