import { ObservabilityRoutes } from 'framework/http'
import { MailPreview } from 'framework/mail' // part: auth
import { Api } from './api.ts' // part: api-tokens
import { Account } from './account/manifest.ts' // part: auth
import { Auth } from './auth/manifest.ts' // part: auth
import { Errors } from './errors.ts' // part: auth
import { Failure } from './failure.ts' // part: tour
import { Hello } from './hello.ts' // part: tour
import { Home } from './home.ts'
// part: items
import { Items } from './items.ts'
import { Orders } from './orders.ts' // part: api-tokens
// end: items

/** The enabled route sets: add a name to enable a set, remove it to disable it. */
export const manifest = [
  Home,
  Account, // part: auth
  Auth, // part: auth
  Api, // part: api-tokens
  Hello, // part: tour
  // part: items
  Items,
  Orders, // part: api-tokens
  // end: items
  Failure, // part: tour
  Errors, // part: auth
  MailPreview, // part: auth
  ObservabilityRoutes,
]
