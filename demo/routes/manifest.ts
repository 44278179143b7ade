import { ObservabilityRoutes } from 'framework/http'
import { MailPreview } from 'framework/mail'
import { Api } from './api.ts'
import { Errors } from './errors.ts'
import { Failure } from './failure.ts'
import { Hello } from './hello.ts'
import { Home } from './home.ts'
import { Items } from './items.ts'
import { Orders } from './orders.ts'

/** The enabled route sets: add a name to enable a set, remove it to disable it. */
export const manifest = [
  Home,
  Api,
  Hello,
  Items,
  Orders,
  Failure,
  Errors,
  MailPreview,
  ObservabilityRoutes,
]
