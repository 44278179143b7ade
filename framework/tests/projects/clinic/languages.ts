import { defineLanguages } from 'framework/i18n'
import { de } from './messages/de.ts'

/** The clinic speaks German. Its texts in another language would be one more file beside `de.ts`. */
export const languages = defineLanguages({ default: 'de', messages: { de } })
