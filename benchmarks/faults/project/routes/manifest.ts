import { ObservabilityRoutes } from 'framework/http'
import { MailPreview } from 'framework/mail'
import { Errors } from './errors.ts'
import { Home } from './home.ts'
import { InstrumentRoutes } from './instruments.ts'

/** The enabled route sets: add a name to enable a set, remove it to disable it. */
export const manifest = [Home, InstrumentRoutes, Errors, MailPreview, ObservabilityRoutes]
