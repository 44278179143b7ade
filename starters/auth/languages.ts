import { defineLanguages } from 'framework/i18n'
import de from './messages/de.json' with { type: 'json' }
import { en } from './messages/en.ts'
import es from './messages/es.json' with { type: 'json' }
import fr from './messages/fr.json' with { type: 'json' }

/** The languages of pages and mails: one is added by its file in `messages/`, and its name here. */
export const languages = defineLanguages({ default: 'en', messages: { en, de, fr, es } })
